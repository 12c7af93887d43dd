# The name, description and tags of a run, which can change in every state.
module TestRun::Annotated
  extend ActiveSupport::Concern

  NOTES = %i[ name description tags ]
  MOST_TAGS = 20

  included do
    # Control characters are invalid in XML, and act on a terminal.
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

  # Changes only the notes of the run, even if its other values would be invalid today. Returns whether it succeeded.
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
