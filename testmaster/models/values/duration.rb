# A length of time such as "90", "90s", "2min" or "1h", stored as whole seconds.
class Duration < ActiveModel::Type::Integer
  SECONDS = { "" => 1, "s" => 1, "min" => 60, "m" => 60, "h" => 3600 }
  FORMAT = /\A(\d{1,7})\s*(s|min|m|h|)\z/
  SETTING = /\A(\d{1,12})(us|ms|s|min|h)\z/

  def self.parse(text)
    if match = FORMAT.match(text.to_s.strip)
      match[1].to_i * SECONDS.fetch(match[2])
    end
  end

  # Parses the value of a JVM's setting, such as "250ms"; rounds up. Returns nil if JVMs refuse it.
  def self.of_setting(text)
    if match = SETTING.match(text.to_s.strip)
      (match[1].to_i * SECONDS.merge("ms" => 1/1000r, "us" => 1/1_000_000r).fetch(match[2])).ceil
    end
  end

  # Formats 90 as "90s", 120 as "2min", 7200 as "2h".
  def self.format(seconds)
    case
    when seconds.positive? && (seconds % 3600).zero? then "#{seconds / 3600}h"
    when seconds.positive? && (seconds % 60).zero?   then "#{seconds / 60}min"
    else "#{seconds}s"
    end
  end

  private
    def cast_value(value)
      value.is_a?(::Integer) ? value : self.class.parse(value)
    end
end
