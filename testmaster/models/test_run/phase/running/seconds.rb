# The response times that clients have seen between two looks at all of them.
class TestRun::Phase::Running::Seconds
  # clients: JVMs as they were just looked at; figures: whose values are asked for. As ResponseTimes#told, or nil where
  # nothing is known: at the first look, without answers, and where one of the clients was not looked at before, as its
  # times would be those of all that it has done.
  def told(clients, figures)
    seen = clients.select(&:seen_times)
    before, @last = @last, { names: seen.map(&:name), times: ResponseTimes.sum(seen.map(&:seen_times)),
      errors: clients.sum { |client| client.progress["errors"].to_i } }
    return unless before && before[:names] == @last[:names]

    times = @last[:times] - before[:times]
    times.told(figures, failed: [ @last[:errors] - before[:errors], 0 ].max) if times.count.positive?
  end
end
