# What a comparison must keep, as the log analyzer understands it: "p99 > +10 %" (a change), "errors > 1 %" (a figure).
module Comparison::Limit
  # What requests cost, beside the time that they take
  COSTS = %w[ late cpu cpu_brokers cpu_clients cpu_database gc_brokers gc_clients disk_written fixed_work ]
  FORMAT = %r{\A\s*(?<figure>throughput|errors|mean|median|p\d{1,2}(?:\.\d+)?|#{Regexp.union(COSTS)})\s*[<>]\s*
    (?<sign>[+-]?)\d+(?:\.\d+)?\s*(?<unit>%|us|ms|s|/s|1/s|MB/s)?\s*\z}x
  UNITS = { **COSTS.index_with { %w[ % ] }, "throughput" => %w[ /s 1/s ], "errors" => %w[ % ],
    "disk_written" => %w[ MB/s ], "fixed_work" => %w[ us ms s ] }
  UNITS.default = %w[ us ms s ]

  # In words that follow it; nil where it can be understood
  def self.complaint_about(text)
    match = FORMAT.match(text) if text.size <= 100
    case
    when match.nil?            then "must be such as \"p99 > +10 %\" or \"errors > 1 %\""
    when match[:sign].present? then "must be a change in per cent, such as +10 %" unless match[:unit] == "%"
    when !match[:unit].in?(UNITS[match[:figure]])
      "must be in #{UNITS[match[:figure]].to_sentence(two_words_connector: " or ", last_word_connector: " or ")}, " \
        "or a change with its sign, such as +10 %"
    end
  end
end
