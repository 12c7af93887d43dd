# A search whose tries are steps of one run: its load clients get one rate after another.
module Experiment::Stepped
  extend ActiveSupport::Concern

  MOST = 3 # times the expected length: queues have to drain, and levels are tried again
  LONGEST = 24 * 3600 # seconds
  TREND_NEEDS = 12 # seconds: the test wants ten values, one a second

  included do
    has_many :tries, through: :points
    before_save -> { self.find = find.merge("by" => by_steps? ? "steps" : "runs") }, if: :find?
    validate :steps_can_be_made, if: -> { find? && find["by"] == "steps" && mistakes_in_definition.none? }
    validate :trend_can_be_told, if: -> { find? && mistakes_in_definition.none? }
  end

  def by_steps?
    find? && (find["by"] ? find["by"] == "steps" : complaint_about_steps.nil?)
  end

  # Returns the clients whose rate changes.
  def stepped_group
    n = find["path"].to_s[Experiment::Search::RATE, 1]
    base_run.client_groups[n.to_i] if n
  end

  # A try takes as long as the load of a run of its own.
  def settling_time  = base_run.warmup
  def measuring_time = base_run.steady_duration
  def seconds_of_steps
    base_run.warmup + search.expected_tries * base_run.duration
  end

  # The run ends once the answer is known.
  def run_of_steps(label = nil)
    search_ends = (base_run.warmup + MOST * search.expected_tries * base_run.duration).ceil
    definition = definition_at({}, label).merge("cooldown" => "0s", "duration" => "#{search_ends.clamp(..LONGEST)}s")
    TestRun.from_definition(Experiment::Path.set(definition, [ [ find["path"], find["from"] ] ]))
      .tap { |run| run.creator = creator }
  end

  # Returns tries by the id of their point, as of the first call.
  def tries_by_point
    @tries_by_point ||= tries_in_order.group_by(&:point_id)
  end

  def tries_in_order
    @tries_in_order ||= begin
      runs, known = all_runs.index_by(&:id), points.index_by(&:id)
      Experiment::Try.where(point: points.to_a).in_order.each do |it|
        it.test_run, it.point = runs.fetch(it.test_run_id) { it.test_run }, known.fetch(it.point_id)
      end
    end
  end

  def reload(...)
    @tries_by_point = @tries_in_order = nil
    super
  end

  private
    def complaint_about_steps
      case
      when !find["path"].to_s.match?(Experiment::Search::RATE)
        "find: by steps needs a path such as clients.0.settings.rate, as nothing else can change during a run"
      when stepped_group.nil? then "find: by steps: there is no group of clients at #{find["path"]}"
      when base_run.phases? then "find: by steps: the load has phases of its own: write by: runs"
      when !base_run.system.command?("rate 1/s")
        "find: by steps: clients of #{base_run.system.label} take no rate while they work: write by: runs"
      when asked = find.fetch("until", []).find { |text| Figure[text[/\A\w+/]]&.of_messages? }
        "find: by steps: #{asked} needs a run for each try, as messages arrive after its end: write by: runs"
      end
    end

    # A condition that cannot be evaluated would break at every level.
    def trend_can_be_told
      seconds = base_run.steady_duration if [ base_run.duration, base_run.warmup, base_run.cooldown ].all?
      if seconds && seconds < TREND_NEEDS && find["until"].include?(Condition::STEADY)
        errors.add :base, "find: until: #{Condition::STEADY} needs #{TREND_NEEDS} s that count, and a " \
          "try has #{Duration.format(seconds)}: make duration longer"
      end
    end

    def steps_can_be_made
      errors.add :base, complaint_about_steps if complaint_about_steps
    end
end
