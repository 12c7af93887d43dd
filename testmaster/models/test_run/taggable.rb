module TestRun::Taggable
  extend ActiveSupport::Concern

  included do
    validate { errors.add :tags, "must be 20 at most, of 50 characters each" if tags.size > 20 || tags.any? { |tag| tag.blank? || tag.size > 50 } }
  end

  def tag_list
    tags.join(", ")
  end

  def tag_list=(text)
    self.tags = text.to_s.split(",").map(&:squish).compact_blank.uniq
  end
end
