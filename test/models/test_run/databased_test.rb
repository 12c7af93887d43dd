require "test_helper"

class TestRun::DatabasedTest < ActiveSupport::TestCase
  include LoopbackHostsHelper, RunsHelper

  ONE_GROUP = [ { scenario: "PublicQueueProducer", clients: 2, settings: { rate: "50/s" } } ]

  test "a database on its own machine is filled and removed" do
    Provider::Ssh.create! name: "ssh", hosts: loopback_hosts.hosts.join("\n"),
      private_key: File.read(loopback_hosts.client_key_path)
    run = run_through(build_run(provider: "ssh", database: "machine", clients: ONE_GROUP,
      database_settings: { shared_buffers: "32MB", synchronous_commit: "off", fill: "5,200,0" }))

    assert_predicate run, :finished?, run.error
    files = contents_of(run.archive)
    assert_operator files["database.csv"].lines.size, :>, 200
    assert_operator files["table_stats.csv"].lines.size, :>, 2
    assert_match "127.0.1.", run.events.find_by(name: "database_created").message
    assert_no_match run.run_database.password, files.values.join
    assert_empty Dir["/var/tmp/#{run.run_database.name}*"]
    assert_empty run.machines.reject(&:released?)
  end

  test "a kept database stays until its run is deleted" do
    run = run_through(build_run(keep_database: true, clients: ONE_GROUP))

    assert_predicate run, :finished?, run.error
    counted = StringIO.new
    run.run_database.dump counted
    assert_operator counted.string.lines.size, :>, 10
    assert TestRun.find(run.id).destroy
    assert_raises(Failure) { run.run_database.dump StringIO.new }
    assert_nothing_left_of run
  ensure
    run.run_database.drop
  end

  test "a run with an unreachable database can be deleted" do
    run = test_runs(:finished)
    run.events.create! name: "database_created", message: "Made", phase: "deploying"
    run = TestRun.find(run.id).tap do |it|
      it.assign_attributes keep_database: true, database: "postgresql://someone:secret@127.0.0.1:1/postgres"
    end

    assert run.destroy
  end

  test "concurrent creations make one database" do
    run = run_about_to_make_its_database
    machine, database = run.brokers.first.machine, run.run_database

    Array.new(3) { Thread.new { database.create_from machine } }.each(&:value)
    assert_match(/\Aplace,id,/, StringIO.new.tap { |io| database.dump io }.string)
  ensure
    run.cancel
    run.advance while run.at_work?
    assert_nothing_left_of run
  end

  test "cancelling removes a database still being made" do
    run = run_about_to_make_its_database
    machine, database = run.brokers.first.machine, run.run_database
    making = Thread.new { database.create_from machine }
    await { File.exist?("#{machine.directory}/.database") }

    run.cancel
    run.advance while run.at_work?
    making.join
    assert_nothing_left_of run
  end

  test "inspection hides the password" do
    database = build_run(database: "postgresql://someone:sesame-open@127.0.0.1:5432/postgres").run_database
    assert_equal "sesame-open", database.password

    assert_no_match "sesame-open", database.inspect + database.send(:server).inspect
  end

  test "a database that its run gave up is not made" do
    run = run_about_to_make_its_database
    machine, database = run.brokers.first.machine, run.run_database
    database.give_up_on machine
    database.create_from machine

    assert_raises(Failure) { database.dump StringIO.new }
  ensure
    run.cancel
    run.advance while run.at_work?
  end

  test "an impossible database is refused before the launch" do
    assert_match "several (ssh, ec2)", complaint_about(database: "machine")
    assert_match "must be embedded, machine, or a URL", complaint_about(database: "mysql://x/y")
    assert_match "only where the database has a machine", complaint_about(database_settings: { shared_buffers: "1GB" })
    assert_match "queues,messages,clients", complaint_about(database_settings: { fill: "many" })
    assert_nil complaint_about(database_settings: { fill: "20, 6000, 100" })
  end

  private
    def run_about_to_make_its_database
      build_run.tap do |run|
        run.launch
        run.advance until run.deploying?
        %i[ prepare_database choose_ports copy_to_machines ].each { |step| run.phase.send step }
        run.brokers.first.machine.shell
      end
    end

    def complaint_about(**changes)
      run = build_run(**changes)
      run.errors.full_messages.to_sentence unless run.valid?
    end
end
