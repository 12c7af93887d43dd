# A run as the YAML that people write, import and export; the words are those of form, table and JSON.
module TestRun::Definable
  extend ActiveSupport::Concern
  include Defined

  PLAIN = %w[ name description tags database_settings keep_database revision duration warmup cooldown timeout
    when_jvm_dies jit_compiler thresholds abort_when ]
  LISTS = %w[ tags thresholds abort_when ]
  PAIRS = %w[ database_settings settings ]
  DURATIONS = %w[ duration warmup cooldown timeout ]
  WORDS = [ *PLAIN, "provider", "database", "brokers", "clients" ]
  GROUP_WORDS = { "name" => :name, "scenario" => :scenario, "machines" => :machine_count, "jvms" => :jvm_count,
    "clients" => :client_count, "heap" => :heap, "instance_type" => :instance_type, "settings" => :settings,
    "profile" => :profile, "system" => :system, "address" => :address }
  BROKERS_ALONE = %w[ system address ]
  OF_A_SERVER_STARTED = %w[ machines jvms heap instance_type ] # not of one that is there at an address

  class_methods do
    # An unsaved run. What is wrong with the definition is among its errors once it is validated.
    def from_definition(definition)
      new.tap { |run| run.definition = definition }
    end
  end

  def definition=(definition)
    self.mistakes_in_definition, @definition_unreadable = [], false
    hash, = scaled(read_definition(definition))

    note_unknown_words hash, WORDS, "the definition"
    plain = well_shaped(hash.slice(*PLAIN, "database", "provider"))
    assign_attributes plain.slice(*PLAIN)
    self.database = plain["database"] if plain["database"].present?
    assign_provider plain["provider"] if plain["provider"].present?
    build_groups broker_groups, hash["brokers"], "brokers", GROUP_WORDS.except("clients")
    build_groups client_groups, hash["clients"], "clients", GROUP_WORDS.except(*BROKERS_ALONE)
  end

  # Without secrets: a database URL loses its password.
  def to_definition
    { "name" => name, "description" => description.presence, "tags" => tags.presence, "provider" => provider&.name,
      "database" => (database_without_password if in_database?),
      "database_settings" => database_settings.presence, "keep_database" => keep_database.presence,
        "revision" => revision,
      **DURATIONS.to_h { |word| [ word, public_send(word)&.then { |seconds| Duration.format(seconds) } ] },
      "brokers" => kept(broker_groups).map(&:to_definition), "clients" => kept(client_groups).map(&:to_definition),
      "when_jvm_dies" => ("go_on" if when_jvm_dies == "go_on"), "jit_compiler" => ("c1" if jit_compiler == "c1"),
      "thresholds" => thresholds.presence, "abort_when" => abort_when.presence }.compact
  end

  private
    def kept(groups)
      groups.reject(&:marked_for_destruction?)
    end

    def complaint_about_shape(word, value)
      case word
      when *LISTS then "a list such as [ one, two ]" unless value.is_a?(Array) && value.all? do |item|
        item.is_a?(String) || item.is_a?(Numeric)
      end
      when *PAIRS then "pairs such as { workers: 8 }" unless value.is_a?(Hash)
      else "one value" if value.is_a?(Enumerable)
      end
    end

    def assign_provider(text)
      if found = Provider.named(text)
        self.provider = found
      else
        mistakes_in_definition << "There is no provider #{text.inspect}; there are " \
          "#{Provider.order(:name).pluck(:name).to_sentence.presence || "none yet"}"
      end
    end

    def build_groups(association, definitions, word, known)
      return unless definitions

      association.each(&:mark_for_destruction) # those of a draft that is defined anew
      Array.wrap(definitions).each_with_index do |definition, position|
        if definition.is_a?(Hash)
          build_group association, definition, "#{word}.#{position}", known, position
        else
          mistakes_in_definition << "#{word}.#{position} must be a group such as { scenario: …, machines: 1, jvms: 1 }"
        end
      end
    end

    def build_group(association, definition, where, known, position)
      note_unknown_words definition, known.keys, where
      if definition["address"].present? && (idle = definition.keys & OF_A_SERVER_STARTED).any?
        mistakes_in_definition << "#{where}.#{idle.first} cannot stand beside address: that server is there already"
      end
      attributes = well_shaped(definition.slice(*known.keys), where)
      association.build position: position, **attributes.transform_keys { |word| known.fetch(word) }
    end
end
