module LoadPhasesHelper
  # Returns [ [ figure, head of its column, method that writes it ], … ] of the figures that some phase has.
  def columns_of_phases(phases)
    { "sent" => [ "Sent /s", :rate_of ], "received" => [ "Received /s", :rate_of ],
      "throughput" => [ "Throughput /s", :rate_of ], "mean" => [ "Mean ms", :milliseconds ],
      "p99" => [ "p99 ms", :milliseconds ], "e2e_p99" => [ "E2E p99 ms", :milliseconds ],
      "errors" => [ "Errors %", :percent ], "backlog" => [ "Backlog", :count_of_messages ],
      "left" => [ "Left", :count_of_messages ] }
      .filter_map { |name, (head, words)| [ name, head, method(words) ] if phases.any? { |phase| phase[name] } }
  end

  # Returns a text such as "Time to drain and time to recover count from the end of outage, 0:55 of the load".
  def words_of_disturbance(phases)
    figures = %w[ drain recovery ]
    phase = phases.find { |it| it.values_at(*figures).any? } or return "from the logs"
    names = figures.select { |name| phase[name] }.map { |name| Figure[name].label.downcase_first }
    "#{names.to_sentence.upcase_first} #{names.many? ? "count" : "counts"} from the end of #{phase["phase"]}, " \
      "#{clock (phase["begin"] + phase["seconds"]).round} of the load"
  end
end
