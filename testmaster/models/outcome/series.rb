# Time series for the charts between two times of the load, on one time axis: the load, its machines, JVMs and the
# database. A missing value is nil.
class Outcome::Series
  include Charted

  MOST = 600 # points of a line
  LONGEST = 1.5 # seconds between two samples; beyond it one is missing
  SUBJECTS = 8 # machines, or JVMs, that are shown by default

  class Refused < StandardError
  end

  attr_reader :run, :from, :to, :step

  # from and to are seconds since the start of the load, as text or nil. step is the length of a point in seconds, one
  # of LENGTHS, or nil for the shortest that fits. only has names of machines and JVMs, such as "broker_0,local".
  def initialize(run, from: nil, to: nil, step: nil, only: nil)
    @run = run
    @from, @to = second("from", from, 0), second("to", to, run.duration)
    refuse "from must be less than to" if @from >= @to
    @step = step_of(step)
    @names = only.to_s.split(",").presence&.then { |names| known(names) }
  end

  def as_json(*)
    { "from" => from, "to" => to, "step" => step, "duration" => run.duration,
      "steady" => [ run.steady_seconds.begin, run.steady_seconds.end ],
      "load_starts_at" => run.load_starts_at&.iso8601(3),
      "ended" => run.ended?, "times" => positions.map { |position| position * step },
      "not_shown" => not_shown, "subjects" => subjects, "subjects_at_most" => 2 * SUBJECTS,
      "charts" => charts, "marks" => marks, "neglects" => run.outcome.neglects }
  end

  # Returns [ value or nil, … ], one for each step. The subject is the load, a machine, a JVM or the database.
  def values(subject, name)
    found = subject ? values_of(subject).fetch(name, {}) : load.fetch(name, {})
    positions.map do |position|
      (found[position] || sample_after(position, subject, found))&.then { |value| rounded value }
    end
  end

  def machines
    @machines ||= chosen(run.machines.to_a)
  end

  def jvms
    @jvms ||= chosen(run.jvms.to_a)
  end

  # Returns whether the subject has any reading.
  def told?(subject)
    values_of(subject).any?
  end

  private
    def second(name, text, otherwise)
      return otherwise.to_f if text.blank?

      number = Moment.parse(text)
      unless number&.between?(0, run.duration)
        refuse "#{name} must be a number of seconds from 0 to #{run.duration}, the length of the load"
      end
      number
    end

    def step_of(text)
      fitting = lengths.select { |length| (to - from) / length <= MOST }
      return fitting.first || lengths.last if text.blank?

      fitting.find { |length| length.to_s == text } or refuse "step must be #{fitting.to_sentence(
        two_words_connector: " or ", last_word_connector: " or ")} for these seconds, or not be given"
    end

    def lengths
      @lengths ||= TestRun::Reading.lengths_in(run)
    end

    def known(names)
      all = [ *run.machines.map(&:name), *run.jvms.map(&:name) ]
      unknown = names - all
      refuse "only must name machines and JVMs of the run: it has no #{unknown.first.truncate(50)}" if unknown.any?
      refuse "only may name #{2 * SUBJECTS} machines and JVMs at most" if names.size > 2 * SUBJECTS
      names
    end

    def refuse(words)
      raise Refused, words
    end

    def chosen(all)
      @names ? all.select { |each| each.name.in? @names } : all.first(SUBJECTS)
    end

    # Returns { "broker_0" => whether it is shown, … } with all subjects that can be selected.
    def subjects
      shown = [ *machines, *jvms ].map(&:name).to_set
      [ *run.machines, *run.jvms ].to_h { |subject| [ subject.name, subject.name.in?(shown) ] }
    end

    # Counts the subjects that are left out.
    def not_shown
      { "machines" => run.machines.size - machines.size, "jvms" => run.jvms.size - jvms.size }
    end

    # The positions end now: the future has no points.
    def positions
      @positions ||= if run.load_starts_at
        first = (from / step).floor
        first..(last_second / step).ceil.pred.clamp(first..)
      else
        []
      end
    end

    def last_second
      [ to, run.seconds_of_load ].min
    end

    def rounded(value)
      value.zero? ? 0 : value.to_f.round(4 - Math.log10(value.abs).ceil.clamp(..4))
    end

    # A sample covers the second before it, a part of which may belong to the step before. So a step without a sample
    # has the value of the next one, unless a sample is missing between its neighbours.
    def sample_after(position, subject, found)
      found[position + 1] if subject.nil? && step == 1 && follows?(position + 1, position - 1)
    end

    def follows?(position, before)
      at, since = @last_seconds.values_at(position, before)
      since ||= 0 if before.negative?
      at && since && at - since <= LONGEST
    end

    # Returns { name => { position => value } }.
    def load
      @load ||= step == TestRun::Step.length_in(run) ? load_by_steps : load_by_samples
    end

    def load_by_steps
      @last_seconds = run.steps.group_by(&:position).transform_values { |parts| parts.map(&:last_second).max }
      run.outcome.lines.transform_values { |points| points.to_h { |second, value| [ (second / step).round, value ] } }
    end

    def load_by_samples
      before = positions.any? ? [ positions.begin - 1, 0 ].max..positions.end : positions # what grew in the first one
      rows = run.outcome.seconds_by(step, before).sort_by(&:first)
      @last_seconds = rows.to_h { |position, *, second, _sent, _received| [ position, second ] }
      found = rows.each_with_object({}) do |(position, *values), found|
        Outcome::Measured::COLUMNS.zip(values) { |name, value| (found[name] ||= {})[position] = value if value }
      end
      found.merge Outcome::Measured::COUNTED.each_with_index.to_h { |name, n|
        counts = rows.map { |row| [ row.first, *row.last(3).values_at(0, 1 + n) ] }.select(&:last)
        [ name, Outcome::Measured.growth(counts, step).to_h ] }
    end

    # Returns { name => { position => value } }.
    def values_of(subject)
      readings.fetch(subject, {})
    end

    # Returns { subject => { name => { position => value } } } in one pass: there can be 600 steps of 16 subjects.
    def readings
      @readings ||= run.readings.where(length: step, position: positions).pluck(:position, figures_shown)
        .each_with_object({}) do |(position, figures), found|
          figures.each do |subject, values|
            of_subject = found[subject] ||= {}
            values.each { |name, (sum, count)| (of_subject[name] ||= {})[position] = sum.fdiv(count) }
          end
        end
    end

    # Figures of machines and JVMs that are left out are not loaded.
    def figures_shown
      hidden = [ *(run.machines - machines).map { |machine| "machine:#{machine.name}" },
        *(run.jvms - jvms).map { |jvm| "jvm:#{jvm.name}" } ]
      hidden.any? ? Arel.sql(TestRun::Reading.sanitize_sql([ "figures - ARRAY[?] AS figures", hidden ])) : :figures
    end

    def marks
      run.outcome.marks.map { |mark| mark.to_h.stringify_keys.merge("at" => mark.at.round(3)) }
    end
end
