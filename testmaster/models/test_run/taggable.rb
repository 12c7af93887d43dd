module TestRun::Taggable
  extend ActiveSupport::Concern

  included do
    validate do
      if tags.any? { |tag| tag.match?(/\p{Cntrl}/) }
        errors.add :tags, "must have no control characters"
      elsif tags.size > 20 || tags.any? { |tag| tag.blank? || tag.size > 50 }
        errors.add :tags, "must be 20 at most, of 50 characters each"
      end
    end
  end

  def add_tag(tag)
    annotate tags: [ *tags, tag ].uniq
  end

  def tag_list
    tags.join(", ")
  end

  def tag_list=(text)
    self.tags = text.to_s.split(",").map(&:squish).compact_blank.uniq
  end
end
