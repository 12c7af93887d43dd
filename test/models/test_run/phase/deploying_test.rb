require "test_helper"

class TestRun::Phase::DeployingTest < ActiveSupport::TestCase
  include RunsHelper

  test "what machines do side by side asks nothing of our own database" do
    run = build_run(duration: "2s", warmup: 0)
    run.launch
    run.advance until run.deploying?
    phase = run.phase
    %i[ prepare_database choose_ports ].each { |step| phase.send step }
    asked = []
    main = Thread.current
    listening = ActiveSupport::Notifications.subscribe("sql.active_record") do |*, event|
      asked << event[:sql] if Thread.current != main
    end
    phase.send :copy_to_machines

    assert_empty asked
    assert_equal [ "deployed" ], run.jvms.reload.map(&:state).uniq
  ensure
    ActiveSupport::Notifications.unsubscribe listening
    run.cancel
    run.advance while run.at_work?
  end

  test "cut off while it noted what had been copied, it starts all JVMs all the same" do
    run = build_run(duration: "2s", warmup: 0, brokers: [ { scenario: "Broker" } ],
      clients: RunsHelper::DEFINITION["clients"].first(1))
    run.launch
    run.advance until run.deploying?
    %i[ choose_ports copy_to_machines ].each { |step| run.phase.send step }
    run.jvms.client.update_all state: "pending"
    run.machines.reset

    run.advance while run.at_work?
    assert_predicate run, :finished?, run.error
  end
end
