# Lists, in sentences, the reasons for which the sides may not be comparable.
class Comparison::Warnings
  OTHER_SPAN = 0.1 # share of the longer one
  OTHER_SPEED = 10 # per cent

  # rows come from the log analyzer.
  def initialize(sides, rows = [])
    @sides, @rows = sides, rows
  end

  def to_a
    [ *unsound, *hardware, *speed, *spans ]
  end

  private
    def unsound
      @sides.flat_map do |side|
        side.test_runs.reject { |run| run.verdict.sound? }.map do |run|
          "#{side.letter}, run #{run.id}: #{run.verdict.word.downcase}. #{run.verdict.reason}".truncate(500)
        end
      end
    end

    def hardware
      rows = Comparison::Differences.new(@sides).hardware
      names = rows.map { |row| [ row["group"], row["name"] ].compact.join(", ").downcase_first }
      rows.any? ? [ "The sides ran on different hardware: #{names.to_sentence} differ." ] : []
    end

    def speed
      other = @rows.select do |row|
        row["figure"] == "fixed_work" && row["verdict"].in?(%w[ worse better ]) && row["percent"].abs > OTHER_SPEED
      end
      other.map do |row|
        baseline, value = row.values_at("baseline", "value").map { |us| (us / 1000).round(2) }
        "The machines of #{row["run"]} were #{row["verdict"] == "worse" ? "slower" : "faster"}: the fixed piece of " \
          "work took #{value} ms of processor time, #{baseline} ms in #{@sides.first.letter}. That alone makes " \
          "figures differ."
      end
    end

    def spans
      lengths = @sides.flat_map { |side| side.test_runs.map { |run| [ side.letter, length_of(run) ] } }.select(&:last)
      shortest, longest = lengths.map(&:last).minmax
      return [] unless shortest && longest - shortest > longest * OTHER_SPAN

      [ "Figures cover other spans: #{lengths.map { |letter, seconds| "#{letter} #{seconds.round} s" }.to_sentence}." ]
    end

    def length_of(run)
      run.outcome.seconds_covered&.then { |span| span.end - span.begin }
    end
end
