require "test_helper"

class TestRun::Phase::DeployingTest < ActiveSupport::TestCase
  include RunsHelper

  test "threads of machines run no SQL" do
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

  test "an interrupted copy still starts all JVMs" do
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
