require "test_helper"
require_relative "../../support/ec2_lookalike"

# A run on instances of the look-alike boots, builds, deploys, runs, collects and terminates for real.
class Provider::Ec2::WholeRunTest < ActiveSupport::TestCase
  include RunsHelper

  setup do
    @cloud = Ec2Lookalike.new(Dir.mktmpdir("ec2")).start
    @provider = Provider::Ec2.create!(name: "cloud", owner: "tester", **@cloud.settings)
    Provider::Ec2.poll_interval = 0.1
  end

  teardown do
    Provider::Ec2.poll_interval = 2
    @cloud.stop
  end

  test "a run goes from launch to zip and leaves nothing" do
    run = run_through(define)

    assert_predicate run, :finished?, [ run.error, *run.events.last(5).map(&:message) ].join("\n")
    assert_operator run.samples.sum { |sample| sample.figures["ok"].to_i }, :positive?
    files = contents_of(run.archive)
    assert_match(/^\d+;\d+;\w/, files["logs/brokers_0_0/broker_0/performance_broker_0.log"])
    assert_match(/CSndReq#OK/, files["logs/clients_0_1/client_1/performance_client_1.log"])

    @cloud.instances.each_value(&:join)
    assert_equal 3, @cloud.instances.size
    assert_empty @cloud.living
    assert_equal %w[ released ], run.machines.map(&:state).uniq
    assert_operator run.cost, :positive?
    assert_secrets_stay_secret run, files

    Provider::Sweep.perform
    assert_empty @cloud.key_pairs.merge(@cloud.security_groups)
  end

  test "runs of an experiment share instances" do
    factor = { "name" => "rate", "path" => "clients.0.settings.rate", "levels" => %w[ 40/s 60/s ] }
    experiment = Experiment.from_definition(definition.merge("experiment" => { "factors" => [ factor ],
      "repetitions" => 1, "again" => 0 }))
    experiment.creator = users(:experimenter)
    perform_enqueued_jobs(only: [ Experiment::AdvanceJob, TestRun::AdvanceJob, TestRun::ExamineJob ]) do
      assert experiment.launch, experiment.errors.full_messages.to_sentence
    end

    runs = experiment.reload.test_runs.to_a
    assert_equal %w[ finished finished ], runs.map(&:state), runs.filter_map(&:error).to_sentence
    assert_equal [ 3, 3 ], runs.map { |run| run.machines.count(&:released?) }
    assert_equal 3, @cloud.instances.size
    assert_equal 1, runs.map { |run| run.machines.map(&:reference).sort }.uniq.size
    runs.each do |run|
      assert_match(/CSndReq#OK/, contents_of(run.archive)["logs/clients_0_1/client_1/performance_client_1.log"])
    end
    copied = runs.map { |run| run.events.where(name: "copied").pluck(:message).sort.first }
    assert_equal [ "mlmq.jar and settings copied to brokers_0_0", "Settings copied to brokers_0_0" ], copied
    @cloud.instances.each_value(&:join)
    assert_empty @cloud.living
    Provider::Sweep.perform
    assert_empty @cloud.key_pairs.merge(@cloud.security_groups)
  end

  test "a run that fails while booting releases instances" do
    @cloud.refuse "GetConsoleOutput", "UnauthorizedOperation"
    run = run_through(define)

    assert_predicate run, :failed?
    assert_equal "provisioning", run.failed_phase
    assert_match(/lack a permission \(GetConsoleOutput/, run.error)
    assert_match "docs/reference/ec2.md", run.advice
    assert_equal 3, @cloud.instances.size
    @cloud.instances.each_value(&:join)
    assert_empty @cloud.living
  end

  test "a terminated instance ends the run with the reason" do
    GLANCES.clear
    ON_GLANCE << lambda { |run|
      client = run.machines.find { |machine| machine.role == "client" }
      run.load_starts_at && run.clients.any?(&:running?) && @cloud.instances.fetch(client.reference).terminate
    }
    run = run_through(define("duration" => "60s"))

    assert_equal "running", run.failed_phase, run.error
    assert_match(/\Aclients_0_0 \(i-\h+\) has ended: /, run.error)
    assert_equal "clients_0_0", run.outcome.failed_on
    assert_includes 1..30, GLANCES.size
    assert_includes contents_of(run.archive).keys, "logs/clients_0_1/client_1/performance_client_1.log"
    @cloud.instances.each_value(&:join)
    assert_empty @cloud.living
  end

  # Counts the glances at the broker's machine after the termination of a client's instance.
  GLANCES, ON_GLANCE = [], []
  CountedGlances = Module.new do
    def glance(names, *)
      if name == "brokers_0_0" && test_run.running?
        ON_GLANCE.clear if ON_GLANCE.first&.call(test_run)
        GLANCES << names if ON_GLANCE.empty?
      end
      super
    end
  end
  Machine.prepend CountedGlances
  teardown { ON_GLANCE.clear }

  private
    def define(changes = {})
      TestRun.from_definition(definition(changes)).tap { |run| run.creator = users(:experimenter) }
    end

    def definition(changes = {})
      { "name" => "In the cloud", "provider" => "cloud", "database" => database, "duration" => "3s", **changes,
        "brokers" => [ { "scenario" => "Broker", "machines" => 1 } ],
        "clients" => [ { "scenario" => "OneWayClient", "machines" => 2, "clients" => 2,
          "settings" => { "rate" => "50/s" } } ] }
    end

    # All hosts of the look-alike are on this machine and can reach its database server.
    def database
      pg = ApplicationRecord.connection.raw_connection
      "postgresql://#{pg.user}:#{ERB::Util.url_encode(pg.pass)}@#{pg.host}:#{pg.port}/postgres"
    end

    def assert_secrets_stay_secret(run, files)
      told = (run.events.map(&:message) + files.values.map(&:b)).join("\n".b)
      [ @provider.secret_access_key, @provider.private_key.lines.second.strip ].each do |secret|
        assert_not told.include?(secret)
      end
    end
end
