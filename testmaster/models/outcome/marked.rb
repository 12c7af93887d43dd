# Events during the load that may explain a chart. The log analyzer marks its plots in the same way.
module Outcome::Marked
  KINDS, MOST = YAML.load_file(Rails.root.join("vocabulary/events.yml")).values_at("marks", "most")

  # at is in seconds since the start of the load.
  Mark = Struct.new(:number, :at, :kind, :words)

  # Returns all deaths, and the first of the other events, in order of time.
  def marks
    return [] unless load_starts_at

    dead, others = notable_events.partition { |event| KINDS[event.name] == "death" }
    chosen = dead.first(MOST)
    chosen += others.first(MOST - chosen.size)
    chosen.sort_by { |event| [ event.created_at, event.id ] }.each.with_index(1).map do |event, number|
      Mark.new number, event.created_at - load_starts_at, KINDS.fetch(event.name), event.message.lines.first.strip
    end
  end

  # Returns [ [ from, to ], … ], the times without a worker, in seconds since the start of the load.
  def neglects
    return [] unless load_starts_at

    events.select { |event| event.name == "unattended" }.filter_map do |event|
      from, to = [ Time.iso8601(event.details["since"]), event.created_at ]
        .map { |time| (time - load_starts_at).clamp(0, duration).round(3) }
      [ from, to ] if from < to
    end
  end

  # Returns a text such as "Failed while deploying, broker_0 on brokers_0_0: port 8100 is taken".
  def reason_of_failure
    where = [ "Failed while #{run.failed_phase}", failed_on ].compact.join(", ") if run.failed_phase?
    [ where, run.error&.lines&.first&.strip ].compact_blank.join(": ").presence
  end

  # Returns "broker_0 on brokers_0_0", or the machine alone, if the failure has such a place.
  def failed_on
    if failure = events.detect { |event| event.name == "failed" }
      [ failure.jvm, failure.machine ].compact.map(&:name).join(" on ").presence
    end
  end

  private
    def notable_events
      told = events.select { |event| event.name == "died" }.map { |event| event.message.lines.first.strip }

      events.select do |event|
        KINDS.key?(event.name) && (event.created_at - load_starts_at).between?(0, duration) &&
          !(event.name == "failed" && told.include?(event.message.lines.first.strip))
      end
    end
end
