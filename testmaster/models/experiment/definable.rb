# An experiment as YAML that people write, import and export: the definition of a run, and the variations below the word
# "experiment". Form, table and JSON use the same words.
module Experiment::Definable
  extend ActiveSupport::Concern
  include Defined

  WORDS = %w[ design factors points generators repetitions order seed again start response find ]
  REPETITIONS = 1..100
  AGAIN = 0..10
  SEEDS = 0..(2**53)
  TIGHTNESS = /\A(#{Figure.names(:try).join("|")})\s*(?:\+-|±)\s*(\d{1,3}(?:\.\d{1,3})?)\s*%\z/
  MOST_FACTORS = 8
  STARTS = { "fresh" => "empty database", "refilled" => "filled database" }

  included do
    normalizes :name, with: ->(name) { name.strip }
  end

  class_methods do
    # Returns an unsaved experiment. Mistakes of the definition are among its errors once it is validated.
    def from_definition(definition)
      new.tap { |experiment| experiment.definition = definition }
    end
  end

  def definition=(definition)
    self.mistakes_in_definition, @definition_unreadable = [], false
    hash = with_passwords_kept(read_definition(definition))
    @base_run = @planned_runs = @estimates = @search = nil
    words = hash.delete("experiment")
    if words.is_a?(Hash)
      hash, words = scaled(hash, words)
      assign_words words
    elsif !@definition_unreadable
      mistakes_in_definition << "experiment must be pairs such as { design: 2k, factors: […] }: what is varied"
    end
    self.base_definition = hash
    self.name = hash["name"].is_a?(String) ? hash["name"] : hash["name"].to_s
  end

  # The result has no secrets: an address loses its password.
  def to_definition
    told = base_run.to_definition
    addresses = { "database" => (told["database"] if base_definition["database"]),
      "brokers" => without_passwords(base_definition["brokers"], told["brokers"]) }.compact
    { **base_definition, **addresses, "experiment" => words }
  end

  # The run of a form stays as it was filled in, with its mistakes.
  def base_run=(run)
    told = run.to_definition
    told["database"] = run.database if told["database"]
    told["brokers"].zip(run.broker_groups) { |group, it| group["address"] = it.address if group["address"] }
    self.base_definition = told
    @base_run = run
  end

  private
    # An address that returns as it was shown, without its password, keeps its password.
    def with_passwords_kept(hash)
      return hash if base_definition.empty?

      shown = to_definition
      hash = hash.merge("database" => base_definition["database"]) if hash["database"] == shown["database"]
      return hash.compact unless hash["brokers"].is_a?(Array) && shown["brokers"].is_a?(Array)

      groups = hash["brokers"].each_with_index.map do |group, n|
        known, had = shown["brokers"][n], base_definition["brokers"][n]
        same = [ group, known ].all?(Hash) && group["address"] && group["address"] == known["address"]
        same ? group.merge("address" => had["address"]) : group
      end
      hash.merge("brokers" => groups).compact
    end

    # Returns the groups with the addresses that a run shows.
    def without_passwords(groups, told)
      return groups unless groups.is_a?(Array)

      groups.zip(told.to_a).map do |group, known|
        group.is_a?(Hash) && group.key?("address") ? group.merge("address" => known.to_h["address"]).compact : group
      end
    end

    def words
      return { "find" => find, **further_words } if find?

      { "design" => design, "generators" => generators.presence, "factors" => kept_factors.map(&:to_definition),
        "points" => (planned_points if design == "points"), **further_words,
        "order" => ordering, "seed" => seed }.compact
    end

    def further_words
      { "repetitions" => tightness? ? { "until" => tightness, "at_most" => at_most } : repetitions,
        "again" => again, "start" => starts_from, "response" => response }
    end

    # A search has one factor; its levels are added as it proceeds.
    def read_find(words)
      self.find = {}
      return if words["find"].nil? || words["find"] == ""

      given = words.keys & %w[ design factors points generators order ]
      given.reject! { |word| word == "design" && words[word] == "find" || words[word].blank? }
      mistakes_in_definition << "find has one factor of its own: leave #{given.to_sentence} out" if given.any?
      self.design = "find"
      self.find = Experiment::Search.read(words["find"]) { |mistake| mistakes_in_definition << mistake }
    end

    def assign_words(words)
      note_unknown_words words, WORDS, "experiment"
      self.design = one_of(words, "design", [ *Experiment::Design.all.keys, *("find" if words["find"]) ], "grid")
      self.ordering = one_of(words, "order", %w[ random listed ], "random")
      self.response = one_of(words, "response", Figure.names(:try), "throughput")
      self.starts_from = one_of(words, "start", STARTS.keys, filled? ? "refilled" : "fresh")
      self.seed = whole(words, "seed", SEEDS) || rand(1..999_999)
      self.again = whole(words, "again", AGAIN) || 2
      self.generators = list(words, "generators").map(&:to_s)
      read_find words
      assign_repetitions words["repetitions"]
      assign_factors list(words, "factors")
      self.listed_points = list(words, "points").map.with_index { |point, n| read_point(point, n) }.compact
    end

    def one_of(words, word, choices, default)
      value = words[word]
      return default if value.nil? || value == ""
      return value.to_s if value.to_s.in?(choices)

      mistakes_in_definition << "#{word} must be one of #{choices.join(", ")}"
      default
    end

    def whole(words, word, range, name = word)
      value = words[word]
      return if value.nil? || value == ""

      number = Integer(value.to_s, 10) if value.to_s.match?(/\A\d{1,18}\z/)
      return number if range.cover?(number)

      mistakes_in_definition << "#{name} must be a whole number from #{range.begin} to #{range.end}"
      nil
    end

    def list(words, word)
      value = words[word]
      return [] if value.nil? || value == ""
      return value if value.is_a?(Array)

      mistakes_in_definition << "#{word} must be a list"
      []
    end

    def assign_repetitions(value)
      self.tightness = self.at_most = nil
      if value.is_a?(Hash) && find?
        mistakes_in_definition << "repetitions must be a number where something is found: so many confirm it"
      elsif value.is_a?(Hash)
        note_unknown_words value, %w[ until at_most ], "repetitions"
        assign_tightness value["until"].to_s.strip
        self.at_most = whole(value, "at_most", 3..REPETITIONS.end, "repetitions.at_most") || 10
        self.repetitions = 1
      else
        self.repetitions = whole({ "repetitions" => value }, "repetitions", REPETITIONS) || (find? ? 3 : 1)
      end
    end

    def assign_tightness(text)
      if text.size <= 100 && (match = TIGHTNESS.match(text)) && match[2].to_f.positive?
        self.tightness = "#{match[1]} +- #{match[2]} %"
      else
        mistakes_in_definition << "repetitions.until must be such as \"mean +- 5 %\"; its figure one of " \
          "#{Figure.names(:try).join(", ")}"
      end
    end

    def assign_factors(definitions)
      definitions = [ factor_of_find ] if find? && definitions.empty? && mistakes_in_definition.empty?
      if definitions.size > MOST_FACTORS
        mistakes_in_definition << "factors are #{definitions.size}, more than #{MOST_FACTORS}"
      end
      factors.each(&:mark_for_destruction) # those of a draft that is defined again
      definitions.first(MOST_FACTORS).each_with_index { |definition, n| read_factor definition, n }
      @redefined = true
    end

    # Both ends of the range are checked before anything starts.
    def factor_of_find
      levels = find.values_at("from", "to")
      numbers = levels.map { |text| text[Experiment::Search::LEVEL, 1] }
      unit = levels.first[Experiment::Search::LEVEL, 2].sub(%r{\A/}, "1/")
      { "name" => find["path"].split(".").last, "unit" => unit, "levels" => numbers,
        "paths" => { find["path"] => levels } }
    end

    def read_factor(definition, n)
      unless definition.is_a?(Hash)
        mistakes_in_definition << "factors.#{n} must be a factor such as { name: workers, path: " \
          "brokers.0.settings.workers, levels: [ 4, 8 ] }"
        return
      end

      note_unknown_words definition, Experiment::Factor::WORDS, "factors.#{n}"
      name = plain_text(definition["name"], "factors.#{n}.name")
      levels = read_levels(definition["levels"], "factors.#{n}.levels")
      unit = plain_text(definition["unit"], "factors.#{n}.unit") if definition["unit"].present?
      factors.build position: n, name: name.presence || "factor #{n}", unit: unit, levels: levels,
        paths: read_paths(definition, levels, "factors.#{n}")
    end

    def plain_text(value, where)
      text = value.is_a?(Enumerable) || value.nil? ? "" : value.to_s.strip
      shape = where.end_with?("unit") ? /\A[^\p{Cntrl}]{1,20}\z/ : Experiment::Factor::NAME
      return text if text.match?(shape)

      mistakes_in_definition << "#{where} must be a short word such as workers"
      nil
    end

    def read_levels(value, where)
      levels = Array(value.is_a?(Hash) ? nil : value)
      case
      when levels.empty? || levels.any? { |level| !level?(level) }
        mistakes_in_definition << "#{where} must be a list of values such as [ 4, 8 ]"
      when levels.size > Experiment::Factor::MOST_LEVELS
        mistakes_in_definition << "#{where} are #{levels.size}, more than #{Experiment::Factor::MOST_LEVELS}"
      when levels.map { |level| plain level }.uniq.size < levels.size
        mistakes_in_definition << "#{where} have a value twice"
      when levels.size < 2
        mistakes_in_definition << "#{where} must be at least two"
      else return levels.map { |level| plain level }
      end
      []
    end

    def level?(value)
      (value.is_a?(String) && value.size.between?(1, 200) && !value.match?(/[\p{Cntrl}]/)) || value.is_a?(Integer) ||
        (value.is_a?(Float) && value.finite?) || value.in?([ true, false ])
    end

    # The result is the same for a value from YAML, a form or --set.
    def plain(value)
      case value.to_s
      when /\A-?\d{1,15}\z/             then value.to_s.to_i
      when /\A-?\d{1,15}\.\d{1,15}\z/ then value.to_s.to_f
      else value.to_s.strip
      end
    end

    # Returns { path => [ a value for each level ] }.
    def read_paths(definition, levels, where)
      path, paths = definition.values_at("path", "paths")
      case
      when path && paths
        mistakes_in_definition << "#{where} has path and paths: write one of them"
        {}
      when paths.is_a?(Hash)
        paths.to_h { |place, values| [ place.to_s, read_values(values, levels, "#{where}.paths.#{place}") ] }
      when path.is_a?(String)                                     then { path.strip => levels }
      when path.is_a?(Array) && path.all?(String) && path.any?    then path.to_h { |place| [ place.strip, levels ] }
      else
        mistakes_in_definition << "#{where}.#{paths ? "paths" : "path"} must be a place in the definition such as " \
          "brokers.0.settings.workers"
        {}
      end
    end

    def read_values(values, levels, where)
      if values.is_a?(Array) && values.size == levels.size && values.all? { |value| level?(value) }
        values.map { |value| plain value }
      else
        mistakes_in_definition << "#{where.truncate(200)} must be a list of #{levels.size} values, one for each level"
        levels
      end
    end

    def read_point(point, n)
      if point.is_a?(Hash) && point.values.all? { |level| level?(level) }
        point.to_h { |name, level| [ name.to_s, plain(level) ] }
      else
        mistakes_in_definition << "points.#{n} must be levels such as { workers: 4, clients: 15 }"
        nil
      end
    end

    def filled?
      base_definition.dig("database_settings", "fill").present? if base_definition["database_settings"].is_a?(Hash)
    end
end
