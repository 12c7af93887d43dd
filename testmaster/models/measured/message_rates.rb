# Computes figures of messages from what clients have counted since their start.
module MessageRates
  COUNTS = %w[ sent received takes empty_takes ]

  # before and after are counts by their names. Returns messages per second and the share of takes that found none [%],
  # without those that are unknown.
  def self.between(before, after, seconds)
    grown = COUNTS.filter_map { |name| [ name, after[name] - before[name] ] if after[name] && before[name] }.to_h
    return {} unless grown.size == COUNTS.size && seconds.positive?

    { "sent" => grown["sent"] / seconds.to_f, "received" => grown["received"] / seconds.to_f,
      "empty_takes" => (grown["empty_takes"] * 100.0 / grown["takes"] if grown["takes"].positive?) }.compact
  end
end
