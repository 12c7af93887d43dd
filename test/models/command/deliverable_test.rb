require "test_helper"

class Command::DeliverableTest < ActiveSupport::TestCase
  include RunsHelper

  test "a command reaches the active JVMs of its target" do
    run = build_run(duration: "60s", when_jvm_dies: "go_on", **TWO_OF_EACH)
    replies = {}

    while_running(run) do
      replies[:status] = deliver(run, "status", "all")
      replies[:rate] = deliver(run, "rate 10", "group:clients.0")
      replies[:brokers] = assert_raises(ActiveRecord::RecordInvalid) { deliver(run, "rate 10", "brokers") }
      replies[:shutdown] = deliver(run, "shutdown", "jvm:broker_1")
      await { File.exist?(folder_of(run).join("broker_1/exit_code")) }
      replies[:late] = deliver(run, "status", "jvm:broker_1")
      cancel run
    end

    assert_equal [ "ok" ], replies[:status].map(&:state).uniq
    assert_equal %w[ broker_0 broker_1 client_0 client_1 ], replies[:status].map { |reply| reply.jvm.name }.sort
    assert_equal [ "client_0", "ok" ], replies[:rate].sole.then { |reply| [ reply.jvm.name, reply.state ] }
    assert_match "has no JVM that knows rate: send it to clients", replies[:brokers].message
    assert_predicate replies[:shutdown].sole, :ok?
    assert_equal [ "status to all: 4 of 4 JVMs answered", "rate 10/s to clients.0: 1 of 1 JVM answered",
      "shutdown to broker_1: 1 of 1 JVM answered" ],
      run.reload.events.where(name: "command").map(&:message), "what was refused or not heard is no mark"
    assert_equal [ "unanswered", "it does not run" ], replies[:late].sole.then { |reply| [ reply.state, reply.text ] }
  end

  test "the timeline names the JVMs that took a command" do
    run = test_runs(:running).tap(&:running!)
    command = Command.create!(test_run: run, line: "rate 400", target: "clients")
    taken, *refused = command.replies.to_a
    taken.take [ "OK", "rate 400/s" ]
    refused.each { |reply| reply.take [ "REFUSED", "the load is closed" ] }
    command.send :record_effect

    assert_predicate refused, :any?
    assert_match(/\Arate 400\/s to #{taken.jvm.name}: 1 of \d+ JVMs answered\z/, run.events.last.message)
  end

  test "threads that ask machines run no SQL" do
    run = test_runs(:running).tap(&:running!)
    run.machines.each { |machine| machine.update! directory: Dir.mktmpdir }
    command = Command.create!(test_run: run, line: "status", target: "all")
    asked, main = Queue.new, Thread.current
    listening = ActiveSupport::Notifications.subscribe("sql.active_record") do |*, event|
      asked << event[:sql] if Thread.current != main
    end
    Command.find(command.id).deliver

    assert_equal [ "it does not run" ], command.replies.reload.map(&:text).uniq
    assert_empty Array.new(asked.size) { asked.pop }
  ensure
    ActiveSupport::Notifications.unsubscribe listening
    run.machines.each { |machine| FileUtils.rm_rf machine.directory }
  end

  private
    def deliver(run, line, target)
      command = Command.create!(test_run: TestRun.find(run.id), line: line, target: target)
      command.deliver
      command.replies.reload.to_a
    end
end
