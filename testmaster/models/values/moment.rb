# A time of a run such as "90", "1:30" or "2:01:30", stored as seconds since the start of the load.
class Moment < ActiveModel::Type::Float
  CLOCK = /\A(-)?(?:(\d{1,3}):)?(\d{1,3}):(\d\d(?:\.\d{1,3})?)\z/

  def self.parse(text)
    if match = CLOCK.match(text.to_s.strip)
      sign, hours, minutes, seconds = match.captures
      (hours.to_i * 3600 + minutes.to_i * 60 + seconds.to_f) * (sign ? -1 : 1)
    else
      Float(text.to_s, exception: false)&.then { |number| number if number.finite? }
    end
  end

  private
    def cast_value(value)
      value.is_a?(::Numeric) ? value.to_f : self.class.parse(value)
    end
end
