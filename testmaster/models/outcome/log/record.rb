# A log record: a line with its time, level and thread, and the lines below it that have none.
class Outcome::Log::Record
  # The pattern covers the lines of our JVMs and those of other servers, which have level and thread in another order or
  # in brackets.
  LINE = /\A(?<stamp>\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d{3})\d{0,3}(?:Z|\+00:00|\ UTC)?\ (?:
    (?<level>[A-Z]{3,8})\ (?<thread>\S+)|#{System.all.grep(System::Driven).filter_map(&:log_line).join("|")}
    )\ (?<words>.*)/mx
  LEVELS = { "ERROR" => "SEVERE", "FATAL" => "SEVERE", "PANIC" => "SEVERE", "WARN" => "WARNING", "LOG" => "INFO",
    "NOTICE" => "INFO", "CRITICAL" => "SEVERE", "DEBUG" => "FINE" }
  LONGEST = 256.kilobytes
  DUMP = /\Astack traces of \d+ threads/
  THREAD = /\A(.+) (NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)\z/

  # Threads of a dump that have the same state at the same place.
  Group = Struct.new(:state, :names, :trace)

  attr_reader :log, :level, :thread, :offset
  attr_accessor :time

  # time is in ms since 1970 by the clock of its machine, or nil. offset is its position in the file, if it is known.
  def initialize(log, line, offset)
    @log, @offset = log, offset
    parts = LINE.match(line)&.named_captures || {}
    @level, @thread = parts["level"]&.upcase&.then { |level| LEVELS.fetch(level, level) }, parts["thread"]
    @time = (Time.iso8601("#{parts["stamp"].tr(" ", "T")}Z").to_f * 1000).round if parts["stamp"]
    @words = +(parts["words"] || line)
  rescue ArgumentError
    @level = @thread = nil
    @words = +line
  end

  def self.begins?(line)
    line.match?(LINE)
  end

  def <<(line)
    @words << line if bytesize < LONGEST
    self
  end

  def bytesize
    @words.bytesize
  end

  def cut?
    bytesize >= LONGEST
  end

  def words
    @words.chomp
  end

  def replace_words(words)
    @words = words
  end

  def dump?
    words.match?(DUMP)
  end

  # Returns the first line of a thread dump, and its threads by state and place, the largest group first.
  def headline
    words.lines.first.to_s.chomp
  end

  def groups
    threads = words.lines(chomp: true).drop(1).slice_when { |_, line| line.match?(THREAD) && !line.start_with?(" ") }
    threads.filter_map { |head, *trace| [ *THREAD.match(head)&.captures, trace.map(&:strip) ] if head&.match?(THREAD) }
      .group_by { |_, state, trace| [ state, trace ] }
      .map { |(state, trace), same| Group.new(state, same.map(&:first), trace) }
      .sort_by { |group| [ group.state, -group.names.size ] }
  end

  def moment
    Time.at(0, time, :millisecond).utc if time
  end

  def to_h
    { "time" => moment&.iso8601(3), "jvm" => log.jvm, "file" => log.name, "level" => level,
      "thread" => thread, "text" => words, "offset" => offset }
  end
end
