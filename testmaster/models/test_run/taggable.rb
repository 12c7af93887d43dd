module TestRun::Taggable
  extend ActiveSupport::Concern

  included do
    validate do
      if tags.size > 20 || tags.any? { |tag| tag.blank? || tag.size > 50 }
        errors.add :tags, "must be 20 at most, of 50 characters each"
      end
    end
  end

  # The rest of the run stays as it is, also where it would not be valid today.
  def add_tag(tag)
    self.tags = [ *tags, tag ].uniq
    validate
    errors.objects.select! { |error| error.attribute == :tags }
    errors.none? && save!(validate: false)
  end

  def tag_list
    tags.join(", ")
  end

  def tag_list=(text)
    self.tags = text.to_s.split(",").map(&:squish).compact_blank.uniq
  end
end
