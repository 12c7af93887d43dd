# The seconds of a run's load.
module TestRun::Timed
  # Seconds since the start of the load that count: without warm-up and cool-down.
  def steady_seconds
    warmup..(duration - cooldown)
  end

  def steady_duration
    duration - warmup - cooldown
  end

  # Seconds since the start of the load, at most the planned ones
  def seconds_of_load
    load_starts_at ? ((cancelled_at || ended_at || Time.current) - load_starts_at).clamp(0, duration) : 0
  end
end
