module CommandsHelper
  def command_lines(system)
    system.commands.map { |line| line.split.first }.partition { |line| line != "shutdown" }.flatten
  end

  # Returns what the form was sent with, so that a refused command keeps it.
  def typed_in_command(name)
    sent = params[:command]
    sent[name].to_s.first(20).presence if sent.respond_to?(:key?)
  end

  # Returns options of a select with the roles that understand each command.
  def options_of_commands(system, chosen)
    options_for_select command_lines(system).map { |line|
      [ line, line, { data: { roles: Jvm::ROLES.select { |role| system.understands?(role, line) }.join(" ") } } ]
    }, chosen
  end

  # Returns options of a select with the roles of the JVMs that each target has.
  def options_of_targets(test_run, chosen)
    options_for_select targets_of(test_run).map { |word, target|
      jvms = Command.new(test_run: test_run, target: target).targeted
      [ word, target, { data: { roles: jvms.map(&:role).uniq.join(" ") } } ]
    }, chosen
  end

  # Returns [ [ "All 4 JVMs", "all" ], … ] with the targets that can get a command now.
  def targets_of(test_run)
    brokers, clients = test_run.jvms.partition(&:broker?)
    [ [ "All #{count_of_programs test_run}", "all" ],
      *([ [ test_run.system.default? ? "Brokers, #{pluralize brokers.size, "JVM"}" : test_run.system.label,
        "brokers" ] ] if brokers.any?),
      [ "Clients, #{pluralize clients.size, "JVM"}", "clients" ] ] +
      test_run.definition.groups.select { |group| test_run.definition.groups.many? && group.name.present? }
        .map { |group| [ "#{group.name}, #{pluralize group.machine_count * group.jvm_count, "JVM"}",
          "group:#{group.key}" ] } +
      test_run.jvms.map { |jvm| [ jvm.name, "jvm:#{jvm.name}" ] }
  end

  def word_of_target(command)
    targets_of(command.test_run).to_h.key(command.target)&.then { |word| word[0, 1].downcase + word[1..] } ||
      command.target.delete_prefix("jvm:").delete_prefix("group:")
  end

  # Returns [ [ "client_0, client_1", their reply ], … ].
  def words_of_replies(command)
    command.replies.select { |reply| reply.text.present? }.group_by(&:text).map do |text, replies|
      [ replies.map { |reply| reply.jvm.name }.join(", "), text ]
    end
  end

  # Returns a text such as "2 of 2 JVMs answered", and what failed.
  def outcome_of(command)
    states = command.replies.map(&:state).tally
    return "on its way" if states.empty?

    answered = command.replies.size - states.fetch("pending", 0) - states.fetch("unanswered", 0)
    words = states.slice("refused", "failed", "unanswered", "pending").map { |state, count| "#{count} #{state}" }
    programs = count_of_programs(command.test_run, command.replies.size)
    "#{answered} of #{programs} answered#{", #{words.to_sentence}" if words.any?}"
  end
end
