# A filter of a list, as the query string of a page contains it.
class Console::Filter
  LONGEST = 400
  ID, BIG = 0..(2**31 - 1), 1..(2**63 - 1)
  FIELDS = {
    "prefix" => String, "sender" => String, "receiver" => String, "queue" => String, "after" => String,
    "queue_id" => ID, "context" => BIG, "priority" => 1..10, "kind" => %w[ public personal dead ],
    "sort" => %w[ length name ], "online" => %w[ yes no ],
    "place" => %w[ anybody leased ], "as" => %w[ text hex ], "from" => ID, "id" => ID
  }

  attr_reader :errors

  # names are the fields of the list.
  def initialize(params, *names)
    @errors, @values = [], {}
    names.map(&:to_s).each { |name| read name, params[name] }
  end

  def [](name)
    @values[name.to_sym]
  end

  def valid?
    errors.empty?
  end

  def to_h
    @values
  end

  def any?
    @values.except(:after, :sort).any?
  end

  private
    def read(name, given)
      return if given.blank?

      kind = FIELDS.fetch(name)
      value = given.is_a?(String) && given.size <= LONGEST ? cast(given, kind) : nil
      value.nil? ? errors << "#{name} must be #{wanted kind}" : @values[name.to_sym] = value
    end

    def cast(text, kind)
      case kind
      when Range then text.strip.match?(/\A\d{1,19}\z/) && kind.cover?(text.to_i) ? text.to_i : nil
      when Array then text if text.in?(kind)
      else text
      end
    end

    def wanted(kind)
      case kind
      when Range then "a whole number from #{kind.begin} to #{kind.end}"
      when Array then kind.to_sentence(last_word_connector: " or ", two_words_connector: " or ")
      else "a text of at most #{LONGEST} characters"
      end
    end
end
