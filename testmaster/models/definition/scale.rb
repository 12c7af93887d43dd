# Shrinks or stretches a run or an experiment: it multiplies clients and times by one number. Counts stay at least one,
# even numbers stay even (pairs), and the levels of a factor keep their ratios.
class Definition::Scale
  TIMES = Definition::Words::OF_RUN.select(&:scales?).map(&:name)
  RANGE = 0.001..1000
  STEP = 1.1 # counts shrink less by this factor, as long as levels would become equal
  STEADY = 3 # seconds of the measurement interval, at least
  WARM = 25 # seconds that JVMs take to compile what they need by C1 alone, however small the run is
  CLIENTS = /\Aclients\.\d+\.clients\z/
  STEPS = /\A\+(\d{1,6})( clients)? every (\d{1,6}) ?(s|min|h) up to (\d{1,6})\z/
  LASTING = /\b(for|over) (\d{1,6}) ?(ms|s|min|h)\b/

  def initialize(value)
    @value = value
  end

  # Returns the validation error in words, or nil.
  def complaint
    return if @value.nil?

    number = Float(@value.to_s) if @value.to_s.match?(/\A\d{1,6}(\.\d{1,6})?\z/)
    "scale must be a number from #{RANGE.begin} to #{RANGE.end}, such as 0.1" unless RANGE.cover?(number)
  end

  # Returns [ definition, words of the experiment ], unchanged if there is nothing to scale.
  def apply_to(definition, words = {})
    return [ definition, words ] if @value.nil? || factor == 1

    definition = with_rows(definition)
    [ { **steady_soon, **scale_times(without_told_duration(definition)), **scale_phases(definition),
      **scale_groups(definition) }, scale_words(words) ]
  end

  private
    def factor
      @factor ||= @value.to_s.to_f
    end

    def steady_soon
      factor < 1 ? { "jit_compiler" => "c1" } : {}
    end

    def scale_times(definition)
      whole, shrunk = [ 1, factor ].map { |by| TIMES.to_h { |word| [ word, scaled_seconds(definition[word], by) ] } }
      around = whole.values_at("warmup", "cooldown").compact.sum
      shrunk["warmup"] &&= [ shrunk["warmup"], [ whole["warmup"], WARM ].min ].max
      shrunk["duration"] &&= shrunk.values_at("warmup", "cooldown").compact.sum +
        [ ((whole["duration"] - around) * factor).round, STEADY ].max
      definition.merge(shrunk.compact.transform_values { |time| Duration.format(time) })
    end

    # Phases may be written as text, one on a line.
    def with_rows(definition)
      read, groups = with_rows_of(definition), definition["clients"]
      groups.is_a?(Array) ? read.merge("clients" => groups.map { |group| with_rows_of group }) : read
    end

    def with_rows_of(words)
      return words unless words.is_a?(Hash) && words["load"].is_a?(String)

      words.merge("load" => Definition::LoadPlan.parse(words["load"]))
    end

    # Phases that shrink one by one tell another duration than their sum shrunk.
    def without_told_duration(definition)
      rows = [ definition["load"], *Array(definition["clients"]).grep(Hash).map { |group| group["load"] } ].grep(Array)
      told = rows.flatten.sum { |row| row.is_a?(Hash) ? Duration.parse(row["for"] || row["at_most"]).to_i : 0 }
      around = definition.values_at("warmup", "cooldown").sum { |text| Duration.parse(text).to_i }
      told.positive? && Duration.parse(definition["duration"]) == told + around ? definition.except("duration") :
        definition
    end

    # Every phase lasts a second at least, and longer than its condition has to hold.
    def scale_phases(words)
      return {} unless words["load"].is_a?(Array)

      { "load" => words["load"].map { |row| row.is_a?(Hash) ? row.merge(scaled_words_of_phase(row)) : row } }
    end

    def scaled_words_of_phase(row)
      times = row.slice("for", "at_most").filter_map do |name, text|
        [ name, Duration.format([ scaled_seconds(text), least_of_phase(row, name), 1 ].max) ] if
          Duration.parse(text)&.positive?
      end
      times.to_h.merge row.slice("rate").transform_values { |rate| scaled_phases(rate) }
    end

    def least_of_phase(row, name)
      condition = Definition::LoadPlan::Until.new(row["until"]) if name == "at_most" && row["until"]
      return 0 unless condition&.valid?

      [ condition.seconds + AbortCondition::GAP, Duration.parse(row[name]) ].min
    end

    def scaled_seconds(text, by = factor)
      Duration.parse(text)&.then { |seconds| (seconds * by).round }
    end

    def scale_groups(definition)
      groups = definition["clients"]
      groups.is_a?(Array) ? { "clients" => groups.map { |group| scale_group group } } : {}
    end

    def scale_group(group)
      return group unless group.is_a?(Hash)

      settings = group["settings"] if group["settings"].is_a?(Hash)
      count = group["clients"] if group["clients"].to_s.match?(/\A\d{1,6}\z/)
      group.merge({ **scale_phases(group), "clients" => count && scaled_counts([ count ]).first,
        "settings" => settings&.merge({ "steps" => settings["steps"]&.then { |steps| scaled_steps(steps) },
          "rate" => settings["rate"]&.then { |rate| scaled_phases(rate) } }.compact) }.compact)
    end

    # The rates stay; the times of a ramp or of phases shrink with the duration.
    def scaled_phases(text)
      text.to_s.gsub(LASTING) do
        ms = $2.to_i * ($3 == "ms" ? 1 : Duration::SECONDS.fetch($3) * 1000) * factor
        ms >= 1000 ? "#{$1} #{(ms / 1000).round}s" : "#{$1} #{[ ms.round, 1 ].max}ms"
      end
    end

    def scaled_counts(counts)
      counts = counts.map(&:to_i)
      unit, least = counts.all?(&:even?) ? 2 : 1, counts.min
      by = least.positive? ? [ factor, unit.fdiv(least) ].max : factor
      by = [ by, 1 ].min if factor < 1
      scaled = ->(ratio) { counts.map { |count| [ (count * ratio / unit).round * unit, unit ].max } }
      by *= STEP while by < 1 && scaled[by].uniq.size < counts.uniq.size
      factor < 1 && by >= 1 ? counts : scaled[by]
    end

    def scaled_steps(text)
      match = STEPS.match(text.to_s) or return text
      more, upto = scaled_counts([ match[1], match[5] ])
      every = [ (match[3].to_i * Duration::SECONDS.fetch(match[4]) * factor).round, 1 ].max
      "+#{more} clients every #{every}s up to #{upto}"
    end

    def scale_words(words)
      factors = words["factors"]
      factors.is_a?(Array) ? words.merge("factors" => factors.map { |it| scale_factor it }) : words
    end

    def scale_factor(definition)
      return definition unless definition.is_a?(Hash)

      if definition["path"].is_a?(String) && definition["levels"].is_a?(Array)
        definition.merge("levels" => scaled_values(definition["path"], definition["levels"]))
      elsif definition["paths"].is_a?(Hash)
        paths = definition["paths"].to_h { |path, values| [ path, scaled_values(path, values) ] }
        definition.merge({ "paths" => paths, "levels" => scaled_names(definition, paths) }.compact)
      else
        definition
      end
    end

    # Levels that contain the number of clients, or a part of it, get the scaled number.
    def scaled_names(definition, paths)
      levels = definition["levels"]
      before, now = [ definition["paths"], paths ].map { |them| sums_of_clients(them) }
      return levels unless before && levels.is_a?(Array) && levels.size == before.size && levels.all?(Integer)

      parts = levels.zip(before).map { |level, count| level.quo(count) }.uniq
      parts.one? ? now.map { |count| whole_or_decimal(count * parts.first) } : levels
    end

    # Returns nil if a path of clients has no counts.
    def sums_of_clients(paths)
      counts = paths.select { |path, _| path.match?(CLIENTS) }.values
      return unless counts.all?(Array) && counts.map(&:size).uniq.one?

      counts.transpose.map(&:sum) if counts.flatten.all? { |count| count.is_a?(Integer) && count.positive? }
    end

    def whole_or_decimal(number)
      number == number.to_i ? number.to_i : number.to_f.round(3)
    end

    def scaled_values(path, values)
      case
      when !values.is_a?(Array) then values
      when path.match?(CLIENTS) && values.all?(Integer) then scaled_counts(values)
      when path.in?(TIMES) then values.map { |value| scaled_seconds(value)&.then { |s| Duration.format(s) } || value }
      else values
      end
    end
end
