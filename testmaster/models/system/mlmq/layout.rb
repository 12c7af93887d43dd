# Brokers that share no topics: one for each publisher, or one for each subscriber.
module System::Mlmq::Layout
  KEY, SHARED, OWNERS = "topic.layout", "shared", { "publisher" => "Publisher", "subscriber" => "Subscriber" }
  STORAGE = { "storage" => "memory" } # brokers on one database know each other's topics

  # Returns why brokers and clients cannot be laid out as the clients' settings say, or nil.
  def complaint_about_layout(definition)
    clients = definition.client_groups.select { |group| group.scenario.in?(OWNERS.values) }
    layouts = clients.map { |group| group.setting(KEY) }.uniq
    return complaint_about_shares(clients, layouts.first) if layouts.empty? || layouts == [ SHARED ]

    case
    when layouts.many? then "must all have the same #{KEY}, and have #{layouts.to_sentence}"
    when definition.system != self
      "have #{KEY}=#{layouts.first}, which needs several brokers of #{label}; #{definition.system.label} has one server"
    when group = definition.broker_groups.find { |it| it.setting(STORAGE.keys.first) != STORAGE.values.first }
      "have #{KEY}=#{layouts.first}, which needs brokers that share nothing: set " \
        "#{group.key}.settings.#{STORAGE.keys.first} to #{STORAGE.values.first}"
    else
      complaint_about_numbers(definition.broker_groups.sum(&:jvms_in_all), clients, layouts.first) ||
        complaint_about_shares(clients, layouts.first)
    end
  end

  private
    # A JVM knows only its own number of clients, and numbers those of the others by it.
    def complaint_about_shares(clients, layout)
      { "Subscriber" => "they share the subscriptions evenly",
        OWNERS[layout] => "each has a broker of its own" }.each do |scenario, why|
        counts = clients.select { |group| group.scenario == scenario }.map { |group| most_of_jvm(group) }.uniq
        if counts.many?
          return "of #{scenario} must have as many clients in each JVM, as #{why}, and have #{counts.to_sentence}"
        end
      end
      nil
    end

    def complaint_about_numbers(brokers, clients, layout)
      owner = OWNERS[layout] or return
      owners = clients.select { |group| group.scenario == owner }.sum { |group| most_of(group) }
      if owners != brokers
        "have #{KEY}=#{layout}, which gives each #{owner} a broker of its own: there are #{brokers} brokers for " \
          "#{owners}"
      end
    end

    def most_of(group) = group.jvms_in_all * most_of_jvm(group)

    def most_of_jvm(group)
      [ group.client_count.to_i, group.settings["steps"].to_s[/ up to (\d{1,6})\z/, 1].to_i ].max
    end
end
