# Counts the messages that clients have sent and nobody has received. Each client tells its counts once a second, at its
# own time; between two of its lines the counts are interpolated, so that all are those of one instant. Of a database
# that was filled before, they receive more than they send: a backlog is what is above the lowest level.
class TestRun::Phase::Running::Backlog
  COUNTS = %w[ sent received ]

  # A line of progress: when it was written [ms, by the clock of this machine], and its counts.
  Line = Struct.new(:ms, :sent, :received)

  # The lowest level so far [messages], below 0; nil if there was none.
  attr_reader :lowest

  def initialize(filled: false, lowest: nil)
    @lines, @filled, @lowest = {}, filled, lowest
  end

  # Returns the messages [messages] at the latest instant that all clients at work have told of; nil if that is unknown.
  def told(clients)
    clients.each { |client| take client }
    working = clients.reject(&:over?)
    ms = working.filter_map { |client| @lines[client.name]&.last&.ms }.min
    return if ms.nil? || clients.any? { |client| @lines[client.name].nil? }

    sums = clients.map { |client| at(ms, *@lines[client.name]) }
    level = sums.sum(&:first) - sums.sum(&:last)
    @lowest = level if @filled && level < @lowest.to_f
    [ level - @lowest.to_f, 0 ].max.round
  end

  private
    def take(client)
      progress = client.progress
      return unless [ "ms", *COUNTS ].all? { |name| progress[name] }

      line = Line.new(progress["ms"] - client.machine.clock_offset.to_f, *progress.values_at(*COUNTS))
      before = @lines[client.name]&.last
      @lines[client.name] = [ before, line ].compact unless before == line
    end

    def at(ms, before, after = before)
      share = after.ms > before.ms ? ((ms - before.ms) / (after.ms - before.ms)).clamp(0, 1) : 1
      COUNTS.map { |name| before[name] + (after[name] - before[name]) * share }
    end
end
