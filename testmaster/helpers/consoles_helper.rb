module ConsolesHelper
  # Returns the path for the present owner: console_path_to(:queue, id: 5).
  def console_path_to(*parts, **params)
    polymorphic_path [ console_owner, :console, *parts ], params
  end

  def title_of_console
    console_owner.is_a?(TestRun) ? "Database of run #{console_owner.id}" : console_owner.name
  end

  def tabs_of_console
    { "Overview" => console_path_to,
      **%i[ queues topics messages clients brokers ].to_h { |part| [ part.to_s.upcase_first, console_path_to(part) ] } }
  end

  # Returns the path of this page with other parameters.
  def same_page(**params)
    url_for request.query_parameters.symbolize_keys.except(:after).merge(params).compact
  end

  # Returns a text such as "58.2 s" or "3 min 5 s".
  def age(milliseconds)
    return none unless milliseconds

    seconds = [ milliseconds / 1000.0, 0 ].max
    seconds < 100 ? quantity(number_with_precision(seconds, precision: 1), "s") : long_time(seconds)
  end

  def long_time(seconds)
    case seconds = seconds.to_i
    when 0...100 then quantity(seconds, "s")
    when 100...7_200 then quantity(seconds / 60, "min")
    when 7_200...172_800 then quantity(seconds / 3_600, "h")
    else quantity(seconds / 86_400, "days")
    end
  end

  def count_of(number)
    number ? number_with_delimiter(number) : none
  end

  # The exact count ends at a limit.
  def bounded_count(number)
    most = System::Mlmq::Questions::COUNTED
    number.to_i > most ? "more than #{number_with_delimiter most}" : number_with_delimiter(number)
  end

  # Returns a text such as "3.2 /s".
  def per_second(measured)
    rate measured&.fetch("per_second")
  end

  # Returns a text such as "+3.2 /s".
  def growth(rate)
    rate ? quantity("#{"+" if rate["per_second"].positive?}#{number_with_precision rate["per_second"], precision: 1,
      delimiter: ","}", "/s") : none
  end

  # Returns a text such as "over the last 5.2 s", from the first rate that exists.
  def seconds_of_rates(rows, name)
    rate = rows.to_a.filter_map { |row| row[name] }.first
    rate ? "over the last #{rate["seconds"]} s" : "shown from the second reading on"
  end

  def broker_state(broker)
    beats = broker["beats"]
    case
    when beats.nil?                   then state_tag("queued", "Seen for the first time", bare: true)
    when beats["per_second"].zero?    then state_tag("failed", "Heartbeat stands still", bare: true)
    else state_tag("running", "Serves", bare: true)
    end
  end

  # The Testmaster gets these figures from the broker of a run; the database does not contain them.
  def told_by_broker(broker)
    @told_by_brokers ||= console_owner.is_a?(TestRun) ? console_owner.brokers.index_by { |jvm|
      "#{jvm.machine.address}:#{jvm.port}" } : {}
    jvm = @told_by_brokers[broker["name"]]
    jvm&.running? || jvm&.ready? ? jvm.figures.to_h : {}
  end

  def queue_label(queue)
    queue["dead"] ? "dead letters" : queue["personal"] ? "personal" : "public"
  end

  # Brokers keep a delayed message as one whose lease nobody has.
  def leased_or_delayed(message)
    message["deliveries"].zero? ? "delayed" : "leased"
  end

  CHANGES = { "emptying" => [ "Emptying", "deleted" ], "deletion" => [ "Deletion", "queue" ],
    "return" => [ "Returning dead letters", "returned" ] }
  STATES_OF_CHANGES = { "pending" => "queued", "working" => "running", "completed" => "finished", "failed" => "failed",
    "stopped" => "cancelled" }

  def words_of_change(change)
    what, done = CHANGES.fetch(change.kind)
    counted = change.kind == "deletion" ? nil : "#{number_with_delimiter change.done} #{done}" \
      "#{", about #{number_with_delimiter change.expected} at the beginning" if change.expected}"
    [ what, counted, change.error ].compact.join(": ")
  end
end
