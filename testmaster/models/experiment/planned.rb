# What an experiment will take, told before its launch: runs, time and money.
module Experiment::Planned
  LONGEST = 14 # days
  AROUND = 12 # seconds of setting up and collecting a run, where no run has told it yet

  # All repetitions, at most
  def runs_planned
    return [ by_steps? ? 1 : search.expected_tries, runs_begun ].max if find?

    (redefined_size || points.reject(&:skipped?).size) * most_repetitions
  end

  def most_repetitions
    tightness? ? at_most : repetitions
  end

  # [ [ number of the point, repetition, levels ], … ] in the order in which they are run
  def table_of_runs
    return [] if find?

    planned_points.each_with_index.map { |levels, n| [ n + 1, levels ] }.then do |points|
      (1..most_repetitions).flat_map do |repetition|
        in_order(points, repetition).map { |number, levels| [ number, repetition, levels ] }
      end
    end
  end

  # Seconds, with what is around the load of each
  def estimated_time
    estimates.sum { |seconds, _| seconds } * runs_of_each
  end

  # USD
  def estimated_cost
    estimates.sum(0.to_d) { |_, cost| cost } * runs_of_each
  end

  # Seconds, as far as it can be told now
  def time_left
    return [ estimated_time - (Time.current - launched_at), 0 ].max if by_steps? && launched_at?

    missing = [ runs_planned - runs_made, 0 ].max
    runs_planned.zero? ? 0 : estimated_time * missing / runs_planned
  end

  # USD so far
  def cost
    @cost ||= provider.rented? ? test_runs.includes(:machines).sum(0.to_d, &:cost) : 0.to_d
  end

  # Why it must not be launched, with the numbers
  def objections
    days = estimated_time / 86_400.0
    too_long = "The experiment would take about #{days.round(1)} days (#{runs_planned} runs), and may take #{LONGEST}"
    [ *(too_long if days > LONGEST),
      *provider.objections_to_series(planned_runs, time: estimated_time, cost: estimated_cost) ]
  end

  def provider
    base_run.provider
  end

  def base_run
    @base_run ||= TestRun.from_definition(base_definition).tap do |run|
      run.creator = creator
      run.provider ||= Provider::Local.default
    end
  end

  private
    def runs_of_each
      find? ? runs_planned : most_repetitions
    end

    def redefined_size
      planned_design.size if @redefined
    end

    # One run for each point, not saved
    def planned_runs
      @planned_runs ||= by_steps? ? [ run_of_steps ] : (find? ? [ {} ] : planned_points).map { |levels| run_at(levels) }
    end

    # [ [ seconds, USD ], … ] for each point
    def estimates
      @estimates ||= planned_runs.map do |run|
        [ (by_steps? ? seconds_of_steps : run.duration).to_i + around_a_run,
          run.estimable? ? run.estimated_cost : 0.to_d ]
      end
    end

    def around_a_run
      @around_a_run ||= provider.rented? ? TestRun::Priced::AROUND : base_run.usual_set_up_time&.+(4) || AROUND
    end
end
