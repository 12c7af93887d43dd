require "test_helper"
require_relative "driven_contract"

class System::ActivemqTest < ActiveSupport::TestCase
  include DrivenSystemContract

  test "has no take without an acknowledgement" do
    group = { system: "activemq", settings: { "acknowledge" => "none" } }
    run = build_run(brokers: [ group ], clients: [ { scenario: "PublicQueueConsumer" } ])

    assert_not run.valid?
    assert_includes run.broker_groups.first.errors.full_messages.join("\n"),
      "must be one of usual, each, batch or transacted"
    run.broker_groups.first.settings = { "acknowledge" => "transacted", "sessions" => "4" }
    assert_equal({ "acknowledge" => "transacted", "sessions" => "4" },
      system.settings_of_driver(run.broker_groups.first.settings))
  end

  private
    def system
      System[:activemq]
    end
end
