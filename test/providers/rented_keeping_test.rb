require "test_helper"
require_relative "../support/nimbus"

# Rented machines pass from one run of an experiment to the next.
class Provider::RentedKeepingTest < ActiveSupport::TestCase
  include OnNimbus, ActiveJob::TestHelper

  setup { @experiment = experiment }

  test "the next run takes over the machine and its jar" do
    first = provide(further_run)
    jar, work = in_folder_of(first, "mlmq.jar"), in_folder_of(first, "broker_0")
    first.shell.execute! "echo jar > #{jar} && mkdir #{work}"
    first.shell.start "sleep 600", directory: work
    pid = first.shell.execute!("cat #{work}/pid").output.to_i

    travel_to 20.minutes.from_now
    assert_equal [ first ], keep(first.test_run)
    assert_raises(Errno::ENOENT) { File.readlink "/proc/#{pid}/cwd" }
    assert_empty @provider.leftovers
    second = provide(further_run)

    assert_equal first.reference, second.reference
    assert_predicate first.reload, :released?
    assert_equal "jar", second.shell.execute!("cat #{in_folder_of second, "mlmq.jar"}").output.chomp
    assert_equal "mlmq.jar", second.shell.execute!("ls #{second.directory}").output.chomp
    assert_not second.shell.execute("test -e #{first.directory}").success?
    assert_equal [ second.id ], @provider.live_machines.map(&:id)
    assert_in_delta 0, second.cost, 0.01
    assert_equal first.provisioned_at.to_i, second.rented_at.to_i
    assert_equal first.test_run_id, second.rented_for

    @provider.release_all [ first ] # as by a sweep that read the machines earlier
    assert_equal [ second.id ], @provider.live_machines.map(&:id)
    @provider.release_all [ second ]
    assert_empty @provider.live_machines
  end

  test "releases what the next run cannot use" do
    first = provide(further_run)
    keep first.test_run
    wider = further_run("clients.0.machines" => 2)
    provide wider
    assert_includes wider.machines.map(&:reference), first.reference
    assert_equal [ first.test_run_id ], wider.machines.map(&:rented_for).uniq

    keep wider
    third = provide(further_run("clients.0.instance_type" => "large"))
    assert_equal [ third.id ], @provider.live_machines.map(&:id)
    assert_equal "large", third.instance_type
  end

  test "an ended or expiring machine is not taken over" do
    first = provide(further_run)
    keep first.test_run
    first.reload.update! expires_at: 10.minutes.from_now
    second = provide(further_run)
    assert_not_equal first.reference, second.reference

    keep second.test_run
    Provider::Nimbus.rented_out.fetch(second.reference).state = "ended"
    third = provide(further_run)
    assert_not_equal second.reference, third.reference
    assert_predicate second.reload, :released?
  end

  test "a machine may live for the whole experiment" do
    @provider.update! limit_hours: 3
    assert_in_delta (3.hours).from_now, provide(further_run).expires_at, 60
    @experiment.update! repetitions: 1
    assert_in_delta (600 + 60 + 1800 + 2700).seconds.from_now, provide(further_run).expires_at, 60
  end

  test "sweeps kept machines that no run takes" do
    first = provide(further_run)
    keep first.test_run
    assert_empty @provider.leftovers
    travel 11.minutes
    assert_equal [ first ], @provider.leftovers
    travel_back

    @experiment.pause
    assert_equal [ first ], @provider.leftovers
    @provider.sweep
    assert_empty @provider.live_machines
  end

  test "a paused experiment releases kept machines" do
    keep provide(further_run).test_run
    perform_enqueued_jobs(only: Experiment::AdvanceJob) { @experiment.pause }
    assert_empty @provider.live_machines
  end

  test "keeps machines only for a next run after success" do
    run = further_run
    assert_predicate run, :machines_for_next_run?
    assert_not TestRun.find(run.id).tap { |it| it.error = "broken" }.machines_for_next_run?
    assert_not TestRun.find(run.id).tap { |it| it.cancelled_at = Time.current }.machines_for_next_run?

    @experiment.update! repetitions: 1
    assert_not further_run.machines_for_next_run?
  end

  test "kept machines count against the instance limit" do
    keep provide(further_run).test_run
    @provider.update! limit_instances: 1
    other = further_run.tap { |it| it.update! experiment: nil }
    assert_match "needs 1 instances; other runs have 1 of the 1", @provider.objections_to(other).sole
  end

  private
    def experiment
      factor = { "name" => "rate", "path" => "clients.0.settings.rate", "levels" => [ "1/s", "2/s" ] }
      Experiment.from_definition(definition.merge("experiment" => { "factors" => [ factor ],
        "repetitions" => 10 })).tap do |experiment|
        experiment.creator = users(:experimenter)
        experiment.save!
        experiment.update! state: "running", launched_at: Time.current
      end
    end

    # The run has one machine, for clients, as its brokers are at an address.
    def further_run(changes = {})
      TestRun.from_definition(Experiment::Path.set(definition, changes.to_a)).tap do |run|
        run.assign_attributes creator: users(:experimenter), experiment: @experiment, state: "provisioning",
          attempt: @experiment.test_runs.count + 1
        run.save!
        run.lay_out
      end
    end

    def definition
      { "name" => "Up there", "provider" => "sky", "duration" => "60s", "timeout" => "30min",
        "brokers" => [ { "scenario" => "Broker", "system" => "rabbitmq", "address" => "amqp://127.0.0.1:1" } ],
        "clients" => [ { "scenario" => "OneWayClient", "machines" => 1, "settings" => { "rate" => "1/s" } } ] }
    end

    def provide(run)
      @provider.provision(run.machines.reload.to_a) { |message, machine = nil| }
      run.machines.reload.first
    end

    def keep(run)
      run.update_columns state: "finished"
      @provider.keep run.machines.reload.to_a
    end

    def in_folder_of(machine, name)
      "#{machine.directory}/#{name}"
    end
end
