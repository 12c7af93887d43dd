# A length of time, such as 90s.
class Definition::Words::Seconds < Definition::Word
  LONGEST = 24 * 3600

  def initialize(name, least:, **options)
    @least = least
    super(name, **options)
  end

  def type = Duration.new

  def complaint(value)
    "must be from #{@least}s to 24h" unless value&.between?(@least, LONGEST)
  end

  def told(value)
    value&.then { |seconds| Duration.format(seconds) }
  end
end
