# One run, or its repetitions, with a letter and a colour that are the same in tables and pictures.
class Comparison::Side
  STYLES = %w[ d1 d2 d3 d4 d6 d5 ] # in the order of the log analyzer's colours

  attr_reader :entries

  def initialize(position, entries)
    @position, @entries = position, entries
  end

  def letter
    ("A".ord + @position).chr
  end

  def style
    STYLES.fetch(@position)
  end

  def baseline?
    @position.zero?
  end

  def name
    entries.map(&:name).uniq.to_sentence
  end

  # Returns "5", or "5, 6 and 7".
  def numbers
    entries.map(&:number).to_sentence
  end

  def test_runs
    entries.filter_map(&:test_run)
  end

  def deleted
    entries.reject(&:test_run_id)
  end
end
