# A moment of a run as people write it: seconds since the start of the load, "90", "1:30" or "2:01:30".
module TestRun::Moment
  CLOCK = /\A(-)?(?:(\d{1,3}):)?(\d{1,3}):(\d\d(?:\.\d{1,3})?)\z/

  def self.seconds(text)
    if match = CLOCK.match(text.to_s.strip)
      sign, hours, minutes, seconds = match.captures
      (hours.to_i * 3600 + minutes.to_i * 60 + seconds.to_f) * (sign ? -1 : 1)
    else
      Float(text.to_s, exception: false)&.then { |number| number if number.finite? }
    end
  end
end
