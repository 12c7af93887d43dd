# Searches for the highest level that holds: doubles it until a condition is broken, halves the range (by ratio) until
# it is narrow, then repeats the highest that held. A level holds if more than half of its tries do. A try is a step of
# one run if the rate of clients can be changed while they work, else a run.
class Experiment::Search
  WITHIN = 5 # per cent, that the range is to be narrow
  MOST_LEVELS = 60
  BEYOND = 10 # times the end of a range that held
  MOST_RUNS_OF_STEPS = 10
  LEVEL = %r{\A(\d{1,9}(?:\.\d{1,3})?)\s*(/s|/min|/h|)\z}
  WORDS = %w[ path rate from to until within by ]
  BY = { "steps" => "a step of one run", "runs" => "a run of its own" }
  RATE = /\Aclients\.(\d{1,3})\.settings\.rate\z/
  EXAMPLE = "{ rate: 100/s..20000/s, until: [ \"p99 < 50 ms\", \"errors = 0\", \"queue steady\" ] }"

  # Returns the words that are stored, and yields mistakes to the block.
  def self.read(words, &complain)
    return {}.tap { complain.call "find must be pairs such as #{EXAMPLE}" } unless words.is_a?(Hash)

    unknown = words.keys - WORDS
    complain.call "find has no #{unknown.first.to_s.truncate(50).inspect}; it has #{WORDS.join(", ")}" if unknown.any?
    from, to = words["rate"] ? words["rate"].to_s.split("..", 2) : words.values_at("from", "to").map(&:to_s)
    { "path" => (words["path"] || "clients.0.settings.rate").to_s, "from" => from.to_s.strip, "to" => to.to_s.strip,
      "until" => Array(words["until"].is_a?(Hash) ? nil : words["until"]).map { |it| it.to_s.strip },
      "within" => words["within"].to_s[/\A\d{1,3}(\.\d{1,3})?/]&.to_f || WITHIN, "by" => words["by"].presence }.compact
      .tap { |read| complaints_about(read, words, &complain) }
  end

  def self.complaints_about(read, words, &complain)
    unless words["path"].nil? || words["path"].is_a?(String) && words["path"].match?(/\A[a-z][\w.]{0,199}\z/i)
      complain.call "find: path must be a place in the definition such as clients.0.settings.rate"
    end
    ends = read.values_at("from", "to").map { |text| LEVEL.match(text) }
    case
    when ends.any?(&:nil?)
      complain.call "find: #{words["rate"] ? "rate" : "from and to"} must be a range such as 100/s..20000/s"
    when ends.map { |it| it[2] }.uniq.many? then complain.call "find: from and to must have the same unit"
    when ends.first[1].to_f.zero? || ends.first[1].to_f >= ends.last[1].to_f
      complain.call "find: from must be above 0 and below to"
    end
    if read["until"].empty? || read["until"].size > 20
      complain.call "find: until must be conditions such as #{Condition.examples(:try).join(", ")}"
    end
    wrong = read["until"].map { |text| Condition.new(text, :try) }.find(&:complaint)
    complain.call "find: until: #{wrong.text.truncate(100).inspect} #{wrong.complaint}" if wrong
    complain.call "find: within must be from 0.5 to 50 %" unless read["within"].between?(0.5, 50)
    complain.call "find: by must be one of #{BY.keys.join(", ")}" unless read["by"].in?([ nil, *BY.keys ])
  end
  private_class_method :complaints_about

  # The state of a level: its point, and for each repetition, by its number, whether it held; nil if that is open.
  Tried = Struct.new(:level, :point, :by_number) do
    def outcomes
      by_number.values
    end

    # Returns the number of the repetition that is still open.
    def open
      by_number.key(nil)
    end

    # The number is not a count, as runs may have been deleted.
    def next_number
      by_number.keys.max + 1
    end

    def known?
      outcomes.any? { |held| !held.nil? }
    end

    def tied?
      outcomes.count(true) == outcomes.count(false)
    end

    def holds?
      outcomes.count(true) > outcomes.count(false)
    end
  end

  def initialize(experiment)
    @experiment = experiment
    @from, @to = experiment.find.values_at("from", "to").map { |text| LEVEL.match(text)[1].to_f }
    @unit = LEVEL.match(experiment.find["from"])[2]
    @within = 1 + experiment.find["within"] / 100.0
    @conditions = experiment.find["until"].map { |text| Condition.new(text, :try) }
  end

  attr_reader :conditions, :from

  # Returns [ point, repetition ]; nil if the answer is confirmed or depends on an active run. A run continues the
  # search of the run before it.
  def due
    keep upcoming
  end

  # Returns the same and writes nothing: the point of an untried level is unsaved.
  def upcoming
    following unless @experiment.waiting? || @experiment.by_steps? && given_up?
  end

  # Returns the same as due, also while a run is active.
  def next_try
    keep following
  end

  # Returns { "holds" => 1600.0, "breaks" => 1680.0, "unit" => "/s", "confirmed" => true }.
  def answer
    { "holds" => holding&.level, "breaks" => breaking&.level, "unit" => @unit,
      "confirmed" => !!holding && next_level.nil? && holding.outcomes.size >= @experiment.repetitions }
  end

  # Returns the highest level of the range if it holds for certain; nil if the answer lies below it.
  def end_of_range
    @to if @experiment.ended? && answer.values_at("holds", "breaks", "confirmed") == [ @to, nil, true ]
  end

  # Returns the definition of a search that begins where this one ended.
  def beyond
    @experiment.to_definition
      .deep_merge("experiment" => { "find" => { "from" => written(@to), "to" => written(@to * BEYOND) } })
  end

  # Returns a text such as "1600/s".
  def written(level)
    "#{level % 1 == 0 ? level.to_i : level}#{@unit}"
  end

  # Estimates the number of tries.
  def expected_tries
    doublings = Math.log2(@to / @from).ceil + 1
    halvings = Math.log2(1 / Math.log2(@within)).ceil
    doubted = believes_one? ? 0 : 1 + halvings / 2
    doublings + halvings + doubted + @experiment.repetitions - 1
  end

  private
    def keep(following)
      point, repetition = following
      [ point.new_record? ? @experiment.keep_point(point) : point, repetition ] if point
    end

    def following
      return if tried.size > MOST_LEVELS

      if unclear = tried.find { |it| it.open || it.tied? || doubted?(it) }
        return [ unclear.point, unclear.open || unclear.next_number ]
      end
      level = next_level
      return [ @experiment.point_at(level), 1 ] if level

      [ holding.point, holding.next_number ] if holding && holding.outcomes.size < @experiment.repetitions
    end

    # A step is short: a brief disturbance of the machine would end the doubling.
    def doubted?(tried)
      tried.outcomes == [ false ] && !believes_one?
    end

    def believes_one?
      !@experiment.by_steps? || @experiment.repetitions == 1
    end

    # Runs whose tries do not count give no answer, and runs may contradict each other.
    def given_up?
      runs = @experiment.all_runs
      counted = @experiment.points.flat_map(&:counted_tries).map(&:test_run_id)
      runs.size >= MOST_RUNS_OF_STEPS || runs.count { |run| counted.exclude?(run.id) } >= @experiment.attempts_allowed
    end

    # Returns the levels that were tried, the lowest first.
    def tried
      @tried ||= @experiment.points.map { |point| tried_at(point) }.sort_by(&:level)
    end

    def tried_at(point)
      outcomes = @experiment.by_steps? ? outcomes_of_tries(point.counted_tries) :
        point.runs.group_by(&:repetition).sort.to_h.transform_values { |runs| outcome_of(runs) }
      Tried.new(point.levels.values.first.to_f, point, outcomes.presence || { 1 => nil })
    end

    # Numbers are assigned again, as each run numbers its tries from those that counted at its start.
    def outcomes_of_tries(tries)
      tries.each.with_index(1).to_h { |tried, n| [ n, tried.holds? ] }
    end

    # A level that no attempt could decide counts as broken, so that the search ends.
    def outcome_of(runs)
      runs.each do |run|
        measured = Experiment::Estimate.of_try(run, @experiment.figures)
        kept = @conditions.all? { |condition| condition.kept_by?(measured) }
        case run.outcome.part_in_experiment
        when "accepted" then return kept
        when "rejected" then return false if measured?(run) && !kept
        end
      end
      runs.size < @experiment.attempts_allowed ? nil : false
    end

    def measured?(run)
      Experiment::Estimate.of(run).any?
    end

    def breaking
      known.find { |it| !it.holds? }
    end

    # Returns the highest level that held below the lowest that broke.
    def holding
      known.take_while(&:holds?).last
    end

    def known
      tried.select(&:known?)
    end

    def next_level
      held, broken = holding&.level, breaking&.level
      case
      when tried.empty?            then @from
      when held.nil?               then nil
      when broken.nil?             then held < @to ? [ held * 2, @to ].min : nil
      when broken / held > @within then between(held, broken)
      end
    end

    # Three digits are precise enough.
    def between(held, broken)
      middle = Math.sqrt(held * broken)
      rounded = middle.round(2 - Math.log10(middle).floor)
      rounded.to_f if rounded > held && rounded < broken
    end
end
