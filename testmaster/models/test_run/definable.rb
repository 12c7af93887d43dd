# A run has a definition in one column, and answers to its words.
module TestRun::Definable
  extend ActiveSupport::Concern

  included do
    attribute :definition, Definition::Type.new, default: -> { Definition.new }

    validate :definition_holds, if: -> { new_record? || draft? } # later it need not be valid today
    after_validation { errors.objects.select! { |error| error.attribute == :base } if definition.unreadable? }

    delegate(*Definition.words.flat_map { |word| [ word.attribute, "#{word.attribute}=" ] },
      *Definition.words.grep(Definition::Words::Seconds).map { |word| "#{word.name}_before_type_cast" },
      :broker_groups_attributes=, :client_groups_attributes=, :database_kind, :database_kind=, :database_url,
      :database_url=, :database_fields=, :further_database_settings_text, :further_database_settings_text=,
      :keep_database?, :mix, :system, :in_database?, :steady_seconds, :steady_duration, to: :definition)
  end

  class_methods do
    # An unsaved run. What is wrong with the definition is among its errors once it is validated.
    def from_definition(source)
      new.tap { |run| run.definition = source }
    end
  end

  # A definition, or what is to be read as one, from which words that it does not have stay as they are
  def definition=(source)
    source.is_a?(Definition) ? super : definition.read(source)
  end

  def definition
    super.tap { |it| it.head = self }
  end

  def to_definition
    definition.to_h
  end

  private
    def definition_holds
      definition.valid?
      definition.errors.each { |error| errors.import error }
    end
end
