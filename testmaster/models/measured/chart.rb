# Lines over the time of a run, placed in per cent so that text and points keep their size at any width.
class Chart
  Line = Struct.new(:name, :style, :points, :value) # value is the label at the end of the line
  Mark = Struct.new(:at, :number, :kind)

  GAP = 11.0 # per cent of the height between two words at the end
  NARROWEST, APART = 200.0, 20.0 # px: the width on a phone, and between two numbers of marks

  attr_reader :title, :note, :duration, :lines, :limit, :marks, :shade, :neglects

  # limit is [ value, text ]; shade is the number of seconds from the start that do not count; for neglects see
  # Outcome::Marked.
  def initialize(title:, note:, duration:, lines:, limit: nil, marks: [], shade: 0, neglects: [])
    @title, @note, @duration, @lines, @limit, @marks, @shade, @neglects = title, note, duration.to_f,
      lines.reject { |line| line.points.empty? }, limit, marks, shade, neglects
  end

  def empty?
    lines.empty?
  end

  def x(second)
    (second / duration * 100).clamp(0, 100).round(2)
  end

  def y(value)
    (100 - value / top * 100).clamp(0, 100).round(2)
  end

  # Returns [ [ value, per cent from the top ], … ].
  def y_ticks
    (0..(top / step).round).map { |n| [ n * step, y(n * step) ] }
  end

  # Returns [ [ second, per cent from the left ], … ].
  def x_ticks
    interval = [ 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
      14_400 ].detect { |seconds| duration / seconds <= 6 } || 14_400
    0.step(duration, interval).map { |second| [ second, x(second) ] }
  end

  # Coordinates are thousandths of width and height.
  def path(line)
    "M" + line.points.map { |second, value| "#{(x(second) * 10).round} #{(y(value) * 10).round}" }.join("L")
  end

  # Returns the shift in px that keeps the numbers of marks from overlapping in the narrowest chart. In a wider one the
  # marks are further apart.
  def shift_of(mark)
    @shifts ||= marks.each_with_object([]) { |each, done| done << [ place_of(each), *done.last&.+(APART) ].max }
      .then { |places| from_right(places) }
    (@shifts[marks.index(mark)] - place_of(mark)).round(1)
  end

  # Returns whether there is room to label the shade beside the first mark.
  def room_for_shade?
    marks.none? { |mark| x(mark.at) < 45 }
  end

  # Returns the labels behind the ends of the lines, spread so that none overlap: [ [ line, or nil for the limit, per
  # cent ], … ].
  def ends
    wanted = lines.map { |line| [ line, y(line.points.last.last) ] }
    wanted << [ nil, y(limit.first) ] if limit
    spread wanted.sort_by(&:last)
  end

  def description
    "#{title}, #{note}: " + lines.map { |line| [ line.name, line.value ].compact.join(" ") }
      .to_sentence + (limit ? "; limit #{limit.last}" : "") + "."
  end

  # Returns the number of digits after the point.
  def decimals
    step < 1 ? -Math.log10(step).floor : 0
  end

  private
    def place_of(mark)
      x(mark.at) / 100 * NARROWEST
    end

    def from_right(places)
      places.reverse.each_with_object([]) do |place, done|
        done << [ place, done.last ? done.last - APART : NARROWEST ].min
      end.reverse
    end

    def top
      @top ||= step * (highest / step).ceil.clamp(1..)
    end

    def step
      @step ||= begin
        raw = highest / 5.0
        unit = 10.0**Math.log10(raw).floor
        [ 1, 2, 5, 10 ].map { |factor| factor * unit }.detect { |candidate| candidate >= raw - 1e-9 }
      end
    end

    def highest
      @highest ||= [ *lines.flat_map { |line| line.points.map(&:last) }, limit&.first ].compact.max.to_f.then do |value|
        value.positive? ? value : 1.0
      end
    end

    def spread(ends)
      placed = ends.each_with_object([]) do |(line, at), done|
        done << [ line, done.any? ? [ at, done.last.last + GAP ].max : at ]
      end
      excess = placed.any? ? [ placed.last.last - 100, 0 ].max : 0
      placed.map { |line, at| [ line, (at - excess).round(2) ] }
    end
end
