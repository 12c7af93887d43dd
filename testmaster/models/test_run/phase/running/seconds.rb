# Computes the response times between two observations of all clients.
class TestRun::Phase::Running::Seconds
  # clients are the JVMs as observed now; figures are the requested ones. Returns the format of ResponseTimes#told.
  # Returns nil at the first observation, without responses, or if a client was not observed before, as its times would
  # cover all of its work.
  def told(clients, figures)
    seen = clients.select(&:seen_times)
    before, @last = @last, { names: seen.map(&:name), times: ResponseTimes.sum(seen.map(&:seen_times)),
      errors: clients.sum { |client| client.progress["errors"].to_i } }
    return unless before && before[:names] == @last[:names]

    times = @last[:times] - before[:times]
    times.told(figures, failed: [ @last[:errors] - before[:errors], 0 ].max) if times.count.positive?
  end
end
