# Derives estimates from the latest runs of a provider.
module Provider::Experienced
  ALIKE = 5 # runs

  # Returns the rate of the fastest run [1/s]; nil if there are none.
  def usual_rate
    return @usual_rate if defined?(@usual_rate)

    @usual_rate = test_runs.where(state: "finished").reorder(id: :desc).limit(ALIKE)
      .pluck(Arel.sql("(figures #>> '{rate,value}')::float")).compact.max
  end

  # Returns the median of the seconds from launch to load.
  def usual_set_up_time
    times = test_runs.where.not(load_starts_at: nil).reorder(id: :desc).limit(ALIKE)
      .pluck(:launched_at, :load_starts_at).map { |launched, load| load - launched }
    times.sort[times.size / 2]
  end
end
