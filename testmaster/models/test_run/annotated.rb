# What people call a run, and write about it: changed at any time, whatever its state.
module TestRun::Annotated
  extend ActiveSupport::Concern

  NOTES = %i[ name description tags ]

  included do
    # Control characters could not be written into XML, and would do what they like in a terminal.
    validates :name, presence: true, length: { maximum: 100 },
      format: { without: /\p{Cntrl}/, message: "must have no control characters" }
    validates :description, length: { maximum: 20_000 }
  end

  # The rest of the run stays as it is, also where it would not be valid today. Whether it was changed.
  def annotate(notes)
    assign_attributes notes
    validate
    errors.objects.select! { |error| error.attribute.in?(NOTES) }
    errors.none? && save!(validate: false)
  end
end
