# Declares each setting of a kind of provider once, with all that a form, a check and a reader need. Values are stored
# as text in the encrypted column; an empty one is the default.
module Provider::Configurable
  extend ActiveSupport::Concern

  Setting = Struct.new(:name, :default, :hint, :type, :choices, :range, :secret, :format, :multiline, :rare,
    keyword_init: true) do
    alias_method :secret?, :secret
    alias_method :rare?, :rare # the form folds it

    def label
      name.humanize.sub("Ssh", "SSH")
    end

    def multiline?
      multiline || name.end_with?("private_key")
    end

    def cast(text)
      case type
      when :integer then text.size > 20 ? raise(ArgumentError) : Integer(text, 10)
      when :decimal then text.match?(/\A-?\d{1,12}(\.\d{1,12})?\z/) ? BigDecimal(text) : raise(ArgumentError)
      else text
      end
    end

    LONGEST = 20_000

    # Returns the validation error of this value, worded to follow the name.
    def complaint(text)
      return "is longer than #{LONGEST} characters" if text.size > LONGEST

      value = cast(text)
      case
      when choices && !value.in?(choices)        then "must be one of #{choices.join(", ")}"
      when range && !range.cover?(value)         then "must be from #{range.begin} to #{range.end}"
      when format && !text.match?(format.first)  then format.last
      end
    rescue ArgumentError
      "must be a number"
    end
  end

  included do
    self.configurable = true
    class_attribute :known_settings, default: {}, instance_accessor: false
    validate :settings_make_sense
  end

  class_methods do
    # Messages use the label of the form for a setting.
    def human_attribute_name(name, *)
      known_settings[name.to_s]&.label || super
    end

    def setting(name, hint:, default: nil, type: :string, **rest)
      known = Setting.new(name: name.to_s, hint: hint, default: default, type: type, **rest)
      self.known_settings = known_settings.merge(known.name => known)

      # An invalid value is ignored here; the validation explains it.
      define_method(name) do
        settings[known.name].presence&.then { |text| known.cast(text) unless known.complaint(text) } || default
      end
      define_method("#{name}?") { public_send(name).present? }
      define_method("#{name}=") { |value| configure known, value }
    end
  end

  private
    # A form does not show a secret, so an empty value from it leaves the secret unchanged. nil deletes it.
    def configure(setting, value)
      unless setting.secret? && value == ""
        self.settings = settings.merge(setting.name => value&.to_s&.strip).compact_blank
      end
    end

    def settings_make_sense
      settings.each do |name, text|
        if known = self.class.known_settings[name]
          complaint = known.complaint(text)
          errors.add name, complaint if complaint
        else
          errors.add :settings, "have no #{name}; they are #{self.class.known_settings.keys.join(", ")}"
        end
      end
    end
end
