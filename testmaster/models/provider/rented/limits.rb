# Limits the number of machines, their time and their cost. The limits are checked before a launch, and while a run is
# active.
module Provider::Rented::Limits
  TO_COLLECT = 3 * 60 # seconds that are reserved for collecting

  # Returns why a run may not be launched, with the numbers.
  def objections_to(test_run)
    unknown, count = test_run.definition.types_without_price, test_run.definition.planned_machines.size
    return [ no_price_of(unknown) ] if unknown.any?

    [ unswept_in_words, too_long(test_run), too_many(test_run, count), too_dear(test_run, count),
      too_dear_today(test_run) ].compact
  end

  # The most expensive day of an experiment must be within the daily limit. cost is nil if a price is unknown.
  def objections_to_series(runs, time:, cost:)
    return super unless cost

    a_day = cost * [ 1, 86_400.0 / [ time, 1 ].max ].min
    return super if a_day + spent_today <= limit_day

    [ "The experiment would cost about #{usd cost}, #{usd a_day} of it in a day; today's runs have cost " \
      "#{usd spent_today}; the provider allows #{usd limit_day} for a day", *super ]
  end

  # Checks the present limits, which an administrator may have lowered since the run began. It stops a run while money
  # and time are left for collecting.
  def reason_to_stop(test_run)
    words, advice = spent_on(test_run) || spent_by_all(test_run) || crowded_out(test_run) || lived_long(test_run)
    failure words, advice: advice if words
  end

  # Returns USD, including deleted runs.
  def spent_today
    Charge.of(self).since(today).sum { |charge| charge.cost since: today }
  end

  private
    def no_price_of(types)
      "There is no price of #{types.to_sentence}, so the cost is not known and limits cannot be checked: " \
        "#{where_to_add_prices}"
    end

    def too_long(run)
      hours = lifetime(run) / 3600.0

      if hours > limit_hours
        "The run may take #{hours.round(1)} h with duration, timeout, start and collecting, " \
          "but the provider lets an instance live for #{limit_hours} h"
      end
    end

    def too_many(run, count)
      others = others_at_work(run).sum { |other| other.definition.planned_machines.size } + kept_for_others(run)

      if count + others > limit_instances
        "The run needs #{count} instances; " \
          "other runs have #{others} of the #{limit_instances} that the provider allows at once"
      end
    end

    def too_dear(run, count)
      cost = run.definition.estimated_cost

      if cost > limit_run
        "The run would cost about #{usd cost} (#{count} instances); the provider allows #{usd limit_run} for a run"
      end
    end

    def too_dear_today(run)
      spent = spent_today
      promised = others_at_work(run).sum { |other| [ most_costly(other) - other.cost, 0 ].max }

      if spent + promised + run.definition.estimated_cost > limit_day
        "The run would cost about #{usd run.definition.estimated_cost}; today's runs have cost #{usd spent} " \
          "and will cost #{usd promised} more; the provider allows #{usd limit_day} for a day"
      end
    end

    # A price may have left the table since the run began. Then the run may cost what the provider allows.
    def most_costly(run)
      run.definition.estimated_cost || limit_run
    end

    def spent_on(run)
      if run.cost + cost_of_collecting(run) > limit_run
        [ "The run was stopped at #{usd run.cost}, below the #{usd limit_run} that #{name} allows for a run",
          "Shorten the run, use fewer or smaller machines, or raise the limit of the provider." ]
      end
    end

    def spent_by_all(run)
      if spent_today + cost_of_collecting(run) > limit_day
        [ "The run was stopped: runs have cost #{usd spent_today} today, and #{name} allows #{usd limit_day} for a day",
          "Wait until tomorrow (UTC), or raise the limit of the provider." ]
      end
    end

    # If there is room for some runs only, those that were launched first continue.
    def crowded_out(run)
      earlier = others_at_work(run).select { |other| (place_in_line(other) <=> place_in_line(run)).negative? }
      count, others = [ [ run ], earlier ].map { |runs| runs.sum { |it| it.definition.planned_machines.size } }

      if count + others > limit_instances
        [ "The run was stopped: it has #{count} instances, earlier runs have #{others}, " \
            "and #{name} allows #{limit_instances} at once",
          "Raise the limit of the provider, or launch the run again when the others have ended." ]
      end
    end

    def place_in_line(run)
      [ run.launched_at.to_f, run.id ]
    end

    def lived_long(run)
      oldest = run.machines.held.filter_map(&:rented_at).min

      if oldest && Time.current + TO_COLLECT > oldest + limit_hours.hours
        hours = ((Time.current - oldest) / 3600.0).round(1)
        [ "The run was stopped: its instances are #{hours} h old, and #{name} allows #{limit_hours} h",
          "Shorten the run, or raise the limit of the provider." ]
      end
    end

    def cost_of_collecting(run)
      run.machines.held.sum { |machine| machine.hourly_price || 0 } * TO_COLLECT / 3600
    end

    # Runs of one experiment are sequential.
    def others_at_work(run)
      others = TestRun.at_work.where(provider: self).where.not(id: run.id)
      run.experiment_id ? others.where("experiment_id IS DISTINCT FROM ?", run.experiment_id) : others
    end

    # Counts machines between two runs of an experiment.
    def kept_for_others(run)
      machines.kept.joins(:test_run).where.not(test_runs: { experiment_id: run.experiment_id }).count
    end

    def today
      Time.current.utc.beginning_of_day
    end
end
