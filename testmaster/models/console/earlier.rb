# Keeps the figures that were read within the last minute. Two readings give a rate for which brokers keep no counter.
class Console::Earlier
  KEPT = 60_000 # ms
  APART = 4_000 # ms between the two readings of a rate: preferred, and at least
  LEAST = 1_000
  MOST = 20 # readings


  def initialize(owner)
    @key = "console of #{owner.class.name} #{owner.id}"
    @looks = Rails.cache.read(@key) || []
  end

  # Uses the server's clock. Returns nil without an earlier reading.
  def rate(name, value, ms)
    return unless value && ms

    known = @looks.select { |look| look[:figures][name] && ms - look[:ms] >= LEAST && ms - look[:ms] <= KEPT }
    look = known.reverse.find { |earlier| ms - earlier[:ms] >= APART } || known.first or return
    seconds = (ms - look[:ms]) / 1000.0
    { "per_second" => ((value - look[:figures][name]) / seconds).round(2), "seconds" => seconds.round(1) }
  end

  def keep(look)
    ms = look[:tables].row&.fetch("ms") or return
    figures = figures_of(look)
    return if @looks.any? { |it| (0...LEAST).cover?(ms - it[:ms]) && it[:figures].keys == figures.keys }

    looks = [ *@looks, { ms: ms, figures: figures } ].select { |it| it[:ms] > ms - KEPT }.last(MOST)
    Rails.cache.write @key, looks, expires_in: 1.minute
  end

  private
    def figures_of(look)
      figures = look[:figures]&.row.to_h
      { "sent" => figures["last_id"], "messages" => figures["messages"],
        **look[:queues]&.rows.to_a.to_h { |queue| [ "queue #{queue["id"]}", queue["length"] ] },
        **look[:queues]&.rows.to_a.to_h { |queue| [ "gained #{queue["id"]}", queue["gained"] ] },
        **look[:brokers]&.rows.to_a.to_h { |broker| [ "broker #{broker["id"]}", broker["heartbeat"] ] } }.compact
    end
end
