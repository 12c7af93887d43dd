# Collects readings and writes their steps with one statement. A worker that resumes a run continues the steps that
# another has begun.
class TestRun::Reading::Book
  KEPT = 60 # seconds; older steps are complete

  def initialize(run)
    @run, @lengths, @steps, @changed = run, TestRun::Reading.lengths_in(run), {}, Set.new
  end

  # seconds is a range since the start of the load, to which the figures apply. Its last step always gets them; steps
  # before it get them only if they have none.
  def add(subject, figures, seconds)
    figures = figures.select { |_, value| value.is_a?(Numeric) && value.to_f.finite? }
    return if figures.empty?

    @lengths.each do |length|
      *earlier, last = positions(seconds, length).to_a
      earlier.each { |position| count subject, figures, length, position unless step(length, position).key?(subject) }
      count subject, figures, length, last if last
    end
  end

  def save
    return if @changed.empty?

    TestRun::Reading.upsert_all @changed.map { |length, position|
      { test_run_id: @run.id, length: length, position: position, figures: @steps[[ length, position ]] }
    }, unique_by: %i[ test_run_id length position ]
    @changed.clear
    latest = @steps.keys.map { |length, position| length * position }.max
    @steps.reject! { |(length, position), _| length * (position + 1) < latest - KEPT }
  end

  private
    # Seconds before or after the load belong to no step.
    def positions(seconds, length)
      from, to = [ seconds.begin, 0 ].max, seconds.end
      to < @run.duration && from <= to ? (from / length).floor..(to / length).floor : []
    end

    def count(subject, figures, length, position)
      known = step(length, position)[subject] ||= {}
      figures.each do |name, value|
        sum, count = known.fetch(name, [ 0, 0 ])
        known[name] = [ (sum + value.to_f).round(3), count + 1 ]
      end
      @changed << [ length, position ]
    end

    def step(length, position)
      @steps[[ length, position ]] ||= stored.fetch([ length, position ], {})
    end

    # Loads the steps that another worker has begun.
    def stored
      @stored ||= TestRun::Reading.where(test_run: @run).order(position: :desc).limit(2 * KEPT)
        .to_h { |reading| [ [ reading.length, reading.position ], reading.figures ] }
    end
end
