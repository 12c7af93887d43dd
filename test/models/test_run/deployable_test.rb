require "test_helper"

class TestRun::DeployableTest < ActiveSupport::TestCase
  include RunsHelper

  test "cut off while it noted what had been copied, it starts all JVMs all the same" do
    run = build_run(duration: "2s", warmup: 0, brokers: [ { scenario: "Broker" } ], clients: RunsHelper::DEFINITION["clients"].first(1))
    run.launch
    run.advance until run.deploying?
    run.send :choose_ports
    run.send :copy_to_machines
    run.jvms.client.update_all state: "pending"
    run.machines.reset

    run.advance while run.at_work?
    assert_predicate run, :finished?, run.error
  end
end
