# Estimates the load of a definition before its launch.
module Definition::Estimated
  LONG = 300 # seconds of a load after which C2 has compiled what it needs for most of it
  RATE = %r{(\d+(?:\.\d+)?)/(s|min|h)\b}

  # Returns the highest offered load of all clients [1/s]; nil if some group sends as fast as it gets responses.
  def offered_load
    rates = client_groups.map { |group| offered_by(group) }
    rates.sum if rates.any? && rates.all?
  end

  # Returns whether the compiler for short runs slows down a load that is long enough for the other.
  def outlasts_compiler?
    jit_compiler == "c1" && duration.to_i >= LONG
  end

  # Counts the connections of all brokers to their database.
  def planned_connections
    return 0 unless in_database?

    broker_groups.sum { |group| group.total * group.setting("db.connections").to_i }
  end

  # Returns the limit of the database; nil if it is known only during the run.
  def most_connections
    case (database_kind if in_database?)
    when "embedded" then ApplicationRecord.connection.select_value("SHOW max_connections").to_i
    when "machine"  then (database_settings["max_connections"].presence || 500).to_i
    end
  end

  def connections_lacking?
    most_connections && planned_connections > most_connections
  end

  # Returns the present values that a prediction may change; nil for a value in which groups differ. A rate is in 1/s.
  def asked_of_model
    load = offered_load ? { "rate" => offered_load } : { "clients" => clients_in_all }
    { **load, "brokers" => brokers_in_all, "workers" => of_each_broker("workers"),
      "connections" => of_each_broker("db.connections") }
  end

  def clients_in_all
    client_groups.sum(&:total)
  end

  def brokers_in_all
    broker_groups.sum(&:total)
  end

  private
    def of_each_broker(setting)
      counts = broker_groups.map { |group| group.setting(setting).to_i }.uniq
      counts.first if counts.one?
    end

    def offered_by(group)
      written = [ group.settings["rate"], *(load_plan.phases.filter_map(&:rate) if rates_of_phases?(group)) ]
      rates = written.join(" ").scan(RATE).map { |number, unit| number.to_f / Duration::SECONDS.fetch(unit) }
      senders = group.settings["rate.of"] == "client" ? group.total : group.jvms_in_all
      rates.max * senders if rates.any?
    end
end
