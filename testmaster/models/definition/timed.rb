# Computes the seconds of the load that count.
module Definition::Timed
  extend ActiveSupport::Concern

  included { validate :something_left_to_measure }

  # Returns the measurement interval in seconds since the start of the load, without warm-up and cool-down.
  def steady_seconds
    warmup..(duration - cooldown)
  end

  def steady_duration
    duration - warmup - cooldown
  end

  private
    def something_left_to_measure
      if [ duration, warmup, cooldown ].all? && warmup + cooldown >= duration
        errors.add :duration,
          "must be longer than warm-up and cool-down together (#{Duration.format(warmup + cooldown)})"
      end
    end
end
