# What people call a run, and write about it: changed at any time, whatever its state.
module TestRun::Annotated
  extend ActiveSupport::Concern

  NOTES = %i[ name description tags ]
  MOST_TAGS = 20

  included do
    # Control characters could not be written into XML, and would do what they like in a terminal.
    validates :name, presence: true, length: { maximum: 100 },
      format: { without: /\p{Cntrl}/, message: "must have no control characters" }
    validates :description, length: { maximum: 20_000 }
    validate do
      if tags.any? { |tag| tag.match?(/\p{Cntrl}/) }
        errors.add :tags, "must have no control characters"
      elsif tags.size > MOST_TAGS || tags.any? { |tag| tag.blank? || tag.size > 50 }
        errors.add :tags, "must be #{MOST_TAGS} at most, of 50 characters each"
      end
    end
  end

  # The rest of the run stays as it is, also where it would not be valid today. Whether it was changed.
  def annotate(notes)
    assign_attributes notes
    validate
    errors.objects.select! { |error| error.attribute.in?(NOTES) }
    errors.none? && save!(validate: false)
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
