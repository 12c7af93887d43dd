# What happened while the load went on and may explain what a chart shows. The log analyzer marks its plots likewise.
module TestRun::Marked
  KINDS, MOST = YAML.load_file(Rails.root.join("vocabulary/events.yml")).values_at("marks", "most")

  # at: seconds since the start of the load
  Mark = Struct.new(:number, :at, :kind, :words)

  # In order of time: all deaths, and the first of the others
  def marks
    return [] unless load_starts_at

    dead, others = notable_events.partition { |event| KINDS[event.name] == "death" }
    chosen = dead.first(MOST)
    chosen += others.first(MOST - chosen.size)
    chosen.sort_by { |event| [ event.created_at, event.id ] }.each.with_index(1).map do |event, number|
      Mark.new number, event.created_at - load_starts_at, KINDS.fetch(event.name), event.message.lines.first.strip
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
