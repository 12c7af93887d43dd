# Checks the methods that every system under test implements; test/system/systems_test.rb makes a run of each. A test of
# a system includes this and has a method system that returns it.
module SystemContract
  extend ActiveSupport::Concern
  include RunsHelper

  ANSWERS = %i[ label description program packages sources build_arguments products lacking in_database? jvm?
    program_of mapping_of template_of settings_of complaint_about secret making_tables messages_left counters questions
    changes state_of broker_figures words_of_queue requests actions summary? kept_files log_of logs_of tiers times
    recorded plots commands command? understands? ask start_load shut_down jar_gone? advice_on ]

  included do
    test "is found by its name and implements the contract" do
      run = build_run(brokers: [ { scenario: "Broker", system: system.name } ])

      assert_includes System.all, system
      assert_equal [ system, system, system ], [ System[system.name], run.system, run.broker_groups.first.system ]
      assert_empty ANSWERS.reject { |name| system.respond_to?(name) }
    end
  end
end
