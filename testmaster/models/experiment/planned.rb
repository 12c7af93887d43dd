# Estimates the runs, time and money of an experiment before its launch.
module Experiment::Planned
  LONGEST = 14 # days
  MOST_WEIGHED = 50 # points whose disk is estimated
  AROUND = 12 # seconds to set up and collect a run, if no run has shown it yet

  # Counts all repetitions, at most.
  def runs_planned
    return [ by_steps? ? 1 : search.expected_tries, runs_begun ].max if find?
    return redefined_size * most_repetitions if redefined_size

    kept = points.reject(&:skipped?)
    kept.size * most_repetitions + kept.sum(&:extra)
  end

  def most_repetitions
    tightness? ? at_most : repetitions
  end

  # Returns [ [ number of the point, repetition, levels ], … ] in the order of execution.
  def table_of_runs
    return [] if find?

    planned_points.each_with_index.map { |levels, n| [ n + 1, levels ] }.then do |points|
      (1..most_repetitions).flat_map do |repetition|
        in_order(points, repetition).map { |number, levels| [ number, repetition, levels ] }
      end
    end
  end

  # Returns seconds, with setup and collection of each run.
  def estimated_time
    estimates.sum { |seconds, _, count| seconds * count }
  end

  # Returns USD; nil if a price is unknown.
  def estimated_cost
    estimates.sum(0.to_d) { |_, cost, count| cost * count } if estimates.all? { |_, cost, _| cost }
  end

  # Returns USD if each run needs the highest number of attempts; nil if a price is unknown.
  def highest_cost
    estimated_cost&.*(attempts_allowed)
  end

  # Returns seconds, as far as they can be estimated now.
  def time_left
    return [ estimated_time - (Time.current - launched_at), 0 ].max if by_steps? && launched_at?

    missing = [ runs_planned - runs_made, 0 ].max
    runs_planned.zero? ? 0 : estimated_time * missing / runs_planned
  end

  # Returns USD, as far as they can be estimated now; nil if a price is unknown.
  def cost_left
    return 0.to_d if runs_planned.zero?

    estimated_cost&.then { |cost| cost * [ runs_planned - runs_made, 0 ].max / runs_planned }
  end

  # Returns the USD spent so far.
  def cost
    @cost ||= provider.rented? ? test_runs.includes(:machines).sum(0.to_d, &:cost) : 0.to_d
  end

  # Returns why the rest must not be launched, with the numbers.
  def objections
    days = time_left / 86_400.0
    too_long = "The experiment would take about #{days.round(1)} days (#{runs_planned} runs), and may take #{LONGEST}"
    [ *(too_long if days > LONGEST),
      *provider.objections_to_series(planned_runs.keys, time: time_left, cost: cost_left), *objection_to_disk ]
  end

  # Returns the bytes of the zips of all runs to come, and of the working files of the largest run.
  def disk_needed
    return 0 if runs_weighed.empty?

    missing = [ runs_planned - runs_made, 0 ].max
    weighed = runs_weighed.map(&:definition)
    weighed.sum(&:zip_bytes) / weighed.size * missing + weighed.map(&:disk_needed).max
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
    def objection_to_disk
      return unless base_run.definition.estimable?

      base_run.objection_to_disk(disk_needed, of: "#{runs_planned} runs", need: "need")
    end

    # Returns one unsaved run for all points that need the same disk; a sample if these are many.
    def runs_weighed
      @runs_weighed ||= if find? || kept_factors.none?(&:weighs_on_disk?)
        planned_runs.keys
      else
        weighing = kept_factors.select { |factor| factor.weighs_on_disk? || !factor.weightless? }.map(&:name)
        points = planned_parts.map(&:first).uniq { |levels| levels.slice(*weighing) }
        points.each_slice((points.size / MOST_WEIGHED.to_f).ceil.clamp(1..)).map { |part| run_at(part.last) }
          .each { |run| run.assign_attributes experiment_id: id, provider: run.provider || provider }
      end
    end

    def redefined_size
      planned_design.size if @redefined
    end

    # Returns { run => number of such runs }: one unsaved run for all points with the same price and time. The runs of
    # one experiment are sequential, so they do not compete with each other.
    def planned_runs
      @planned_runs ||= if find?
        { (by_steps? ? run_of_steps : run_at({})) => runs_planned }
      else
        parts_alike.to_h { |levels, count| [ run_at(levels), count ] }
      end.each_key { |run| run.assign_attributes experiment_id: id, provider: run.provider || provider }
    end

    # Returns { levels of one of the points => number of runs }.
    def parts_alike
      weighing = kept_factors.reject(&:weightless?).map(&:name)
      planned_parts.group_by { |levels, _| levels.slice(*weighing) }.values
        .to_h { |alike| [ alike.first.first, alike.sum(&:last) ] }
    end

    # Returns [ [ levels, number of runs ], … ] with an element for each point.
    def planned_parts
      return planned_points.map { |levels| [ levels, most_repetitions ] } if @redefined

      points.reject(&:skipped?).map { |point| [ point.levels, most_repetitions + point.extra ] }
    end

    # Returns [ [ seconds, USD or nil, number ], … ] of runs.
    def estimates
      @estimates ||= planned_runs.map do |run, count|
        [ (by_steps? ? seconds_of_steps : run.duration).to_i + around_a_run,
          run.definition.estimable? ? run.definition.estimated_cost : 0.to_d, count ]
      end
    end

    def around_a_run
      @around_a_run ||= provider.rented? ? Definition::Priced::AROUND : provider.usual_set_up_time&.+(4) || AROUND
    end
end
