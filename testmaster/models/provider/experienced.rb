# What the latest runs of a provider tell of those to come.
module Provider::Experienced
  ALIKE = 5 # runs

  # 1/s, of the fastest; nil where there are none
  def usual_rate
    return @usual_rate if defined?(@usual_rate)

    @usual_rate = test_runs.where(state: "finished").reorder(id: :desc).limit(ALIKE)
      .pluck(Arel.sql("(figures #>> '{rate,value}')::float")).compact.max
  end

  # Seconds from launch to load: the median
  def usual_set_up_time
    times = test_runs.where.not(load_starts_at: nil).reorder(id: :desc).limit(ALIKE)
      .pluck(:launched_at, :load_starts_at).map { |launched, load| load - launched }
    times.sort[times.size / 2]
  end
end
