module TestRun::Summarized
  ENDED = %w[ finished failed cancelled ]

  def at_work?
    !draft? && !ended?
  end

  def ended?
    state.in? ENDED
  end

  def latest_sample
    samples.reorder(at: :desc).first
  end

  def elapsed
    ((ended_at || Time.current) - launched_at).round if launched_at
  end

  # Returns the seconds since the start of the load, limited to the planned ones.
  def seconds_of_load
    load_starts_at ? ((cancelled_at || ended_at || Time.current) - load_starts_at).clamp(0, duration) : 0
  end

  def duplicate
    dup.tap do |copy|
      copy.assign_attributes state: "draft", build: nil, creator: Current.user || creator,
        name: "#{name} (copy)".gsub(/\p{Cntrl}+/, " ").last(100), verdict_name: nil, thresholds_met: nil,
        examinations: 0,
        figures: {}, failed_phase: nil, error: nil, advice: nil, launched_at: nil, load_starts_at: nil, ended_at: nil,
        cancelled_at: nil, worked_on_at: nil, thinned_at: nil, disk_promised: nil, experiment: nil, point: nil,
        repetition: nil, attempt: nil
    end
  end
end
