# The common part of broker and client groups: machines, JVMs on each, a scenario, and the settings of the scenario.
module Definition::Group
  extend ActiveSupport::Concern

  SETTING = /\A[a-zA-Z][a-zA-Z0-9]*(\.[a-zA-Z0-9]+)*\z/
  LONGEST_VALUE, MOST_SETTINGS = 2_000, 200
  SECRET = /password|secret|token/i

  included do
    include Fields

    attr_accessor :definition

    validates :name, length: { maximum: 100 }
    validates :instance_type,
      format: { with: /\A[\w.-]{1,60}\z/, message: "is not the name of a type such as c6i.large" }, allow_nil: true
    validates :scenario, presence: true, length: { maximum: 100 },
      format: { with: /\A[A-Za-z]\w*(#\w+)?\z/, message: "is not the name of a scenario" }
    validate :scenario_is_known, if: -> { errors[:scenario].empty? }
    validates :heap, format: { with: /\A[1-9]\d{0,5}[mg]\z/i, message: "must be a size such as 512m or 4g" },
      allow_nil: true
    validate :settings_can_be_handed_on
  end

  # Returns the name of the group in a definition and in a command's target, such as "brokers.0".
  def key
    "#{role}s.#{position}"
  end

  # Returns the position among the groups of its role.
  def position
    definition.groups_of(role).index { |group| group.equal? self }
  end

  def settings=(pairs)
    super pairs.to_h.to_h { |name, value|
      name = name.to_s.strip.delete_prefix("#{role}.")
      [ name, Scenario.written(role, name, value) ]
    }
  end

  def jvms_in_all
    machine_count.to_i * jvm_count.to_i
  end

  # Returns the largest heap of a JVM; 0 if the definition leaves it to the JVM.
  def heap_bytes
    heap.to_s.to_i.public_send(heap.to_s.downcase.end_with?("g") ? :gigabytes : :megabytes)
  end

  # Returns the value of a setting of MLMQ, or its default.
  def setting(name)
    settings[name].presence || Catalogue.default("#{role}.#{name}")
  end

  # Returns the settings with the names of a JVM's properties file.
  def properties
    settings.transform_keys { |name| name.start_with?("common.") ? name : "#{role}.#{name}" }
  end

  # Returns the words as people write them.
  def to_h
    words.to_h { |word| [ word.name, word.told(value_of(word)) ] }.compact
  end

  # The result contains no address.
  def inspect
    "#<#{self.class.name} #{scenario}>"
  end

  private
    def scenario_is_known
      names = Scenario.of(role).map(&:name)
      if !names.include?(scenario)
        guess = DidYouMean::SpellChecker.new(dictionary: names).correct(scenario).first
        errors.add :scenario, "#{scenario} is not a scenario of a #{role}" \
          "#{guess ? "; did you mean #{guess}?" : ": #{names.to_sentence(last_word_connector: " or ")}"}"
      elsif system && !Scenario.find(scenario).runs_on?(system)
        errors.add :scenario, "#{scenario} cannot be run on #{system.label}; " \
          "#{system.scenarios(role).map(&:name).to_sentence} can"
      end
    end

    def complaint_about_key(name)
      (system || System.default).complaint_about(role, name)
    end

    def settings_can_be_handed_on
      errors.add :settings, "are #{settings.size}, more than #{MOST_SETTINGS}" if settings.size > MOST_SETTINGS
      settings.first(MOST_SETTINGS).each do |name, value|
        case
        when [ name, value ].any? { |text| text.size > LONGEST_VALUE } then errors.add :settings,
          "#{name.truncate(50)} has more than #{LONGEST_VALUE} characters"
        when name.match?(SECRET)           then errors.add :settings,
          "#{name} is a secret: it belongs to the database or the provider"
        when complaint = complaint_about_key(name) then errors.add :settings,
          "#{name.match?(SETTING) ? name : name.inspect} #{complaint}"
        when value.empty?                  then errors.add :settings, "#{name} has no value"
        when Address.redact(value) != value then errors.add :settings,
          "#{name} holds a password: it belongs to the database or the provider"
        when value.match?(/[\r\n\0]/)      then errors.add :settings, "#{name} must be on one line"
        end
      end
    end
end
