# What machines cost by config/ec2_prices.yml, and how much of it is allowed.
module Provider::Ec2::Pricing
  HOURS_OF_A_MONTH = 730

  # USD for an instance with its disk and address; nil where the table does not know the type. Spot is counted at its highest.
  def hourly_price(type)
    if listed = prices["instances"][type]
      instance = listed.to_d * regional_factor
      instance = [ instance, maximum_price ].compact.min if market == "spot"
      (instance + disk_size * prices["disk_gigabyte_month"].to_d / HOURS_OF_A_MONTH + (address == "public" ? prices["public_address"].to_d : 0)).round(4)
    end
  end

  def spending_limit
    limit_run
  end

  def daily_limit
    limit_day
  end

  # USD, by runs that are deleted too
  def spent_today
    Charge.of(self).since(today).sum { |charge| charge.cost since: today }
  end

  # Why a run may not be launched, with the numbers.
  def objections_to(test_run)
    planned = test_run.planned_machines
    unknown = planned.map(&:last).uniq.reject { |type| hourly_price(type) }
    return [ "There is no price of #{unknown.to_sentence} in config/ec2_prices.yml, so no limit could be kept: add it there" ] if unknown.any?

    [ *too_long(test_run), *too_many(test_run, planned.size), *too_dear(test_run, planned.size), *too_dear_today(test_run) ]
  end

  private
    def too_long(run)
      hours = lifetime(run) / 3600.0
      "The run may take #{hours.round(1)} h with duration, timeout, start and collecting, but the provider lets an instance live for #{limit_hours} h" if hours > limit_hours
    end

    def too_many(run, count)
      others = others_at_work(run).sum { |other| other.planned_machines.size }
      "The run needs #{count} instances, other runs have #{others} of the #{limit_instances} that the provider allows at once" if count + others > limit_instances
    end

    def too_dear(run, count)
      "The run would cost about #{usd run.estimated_cost} (#{count} instances), the provider allows #{usd limit_run} for a run" if run.estimated_cost > limit_run
    end

    def too_dear_today(run)
      spent = spent_today
      promised = others_at_work(run).sum { |other| [ other.estimated_cost - other.cost, 0 ].max }

      if spent + promised + run.estimated_cost > limit_day
        "The run would cost about #{usd run.estimated_cost}; today's runs have cost #{usd spent} and will cost #{usd promised} more, the provider allows #{usd limit_day} for a day"
      end
    end

    def others_at_work(run)
      TestRun.at_work.where(provider: self).where.not(id: run.id)
    end

    def today
      Time.current.utc.beginning_of_day
    end

    def usd(amount)
      format "%.2f USD", amount
    end

    def regional_factor
      factors = prices["region_factors"]
      (factors[region] || factors["other"]).to_d
    end

    def prices
      @prices ||= YAML.safe_load_file(Rails.root.join("config/ec2_prices.yml"))
    end
end
