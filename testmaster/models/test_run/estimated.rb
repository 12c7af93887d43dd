# What the load of a definition will ask for, told before its launch.
module TestRun::Estimated
  RATE = %r{\A(\d+(?:\.\d+)?)/(s|min|h)(?: to (\d+(?:\.\d+)?)/(s|min|h) over .+)?\z}
  ALIKE = 5 # runs, from which the time of setting up is guessed

  # 1/s at most, of all clients; nil where some group sends as fast as it is answered
  def offered_load
    rates = clients_planned.map { |group| offered_by(group) }
    rates.sum if rates.any? && rates.all?
  end

  # Of all brokers to their database
  def planned_connections
    return 0 unless in_database?

    kept_groups(broker_groups).sum { |group| group.total * group.setting("db.connections").to_i }
  end

  # What the database allows; nil where only the run will tell
  def most_connections
    case (database_kind if in_database?)
    when "embedded" then self.class.connection.select_value("SHOW max_connections").to_i
    when "machine"  then (database_settings["max_connections"].presence || 500).to_i
    end
  end

  def connections_lacking?
    most_connections && planned_connections > most_connections
  end

  # Seconds from launch to load: the median of the latest runs of this provider
  def usual_set_up_time
    times = provider.test_runs.where.not(load_starts_at: nil).reorder(id: :desc).limit(ALIKE)
      .pluck(:launched_at, :load_starts_at).map { |launched, load| load - launched }
    times.sort[times.size / 2]
  end

  private
    def clients_planned
      kept_groups(client_groups)
    end

    def kept_groups(groups)
      groups.reject(&:marked_for_destruction?)
    end

    def offered_by(group)
      rates = RATE.match(group.settings["rate"].to_s)&.captures&.each_slice(2)&.filter_map do |number, unit|
        number.to_f / Duration::SECONDS.fetch(unit) if number
      end
      senders = group.settings["rate.of"] == "client" ? group.total : group.machine_count.to_i * group.jvm_count.to_i
      rates.max * senders if rates
    end
end
