# A run stores its definition in one column, and delegates its words.
module TestRun::Definable
  extend ActiveSupport::Concern

  included do
    attribute :definition, Definition::Type.new, default: -> { Definition.new }

    validate :definition_holds, if: -> { new_record? || draft? } # later it need not be valid any more
    after_validation { errors.objects.select! { |error| error.attribute == :base } if definition.unreadable? }

    delegate(*Definition.words.flat_map { |word| [ word.attribute, "#{word.attribute}=" ] },
      *Definition.words.grep(Definition::Words::Seconds).map { |word| "#{word.name}_before_type_cast" },
      :broker_groups_attributes=, :client_groups_attributes=, :database_kind, :database_kind=, :database_url,
      :database_url=, :database_fields=, :further_database_settings_text, :further_database_settings_text=,
      :keep_database?, :load_plan, :phases?, :mix, :system, :in_database?, :steady_seconds, :steady_duration,
      to: :definition)
  end

  class_methods do
    # Returns an unsaved run. Mistakes of the definition are among its errors once it is validated.
    def from_definition(source)
      new.tap { |run| run.definition = source }
    end
  end

  # source is a definition, or a text or hash to read; words that it does not contain stay unchanged.
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
