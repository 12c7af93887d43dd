require "test_helper"

class TestRun::FailureTest < ActiveSupport::TestCase
  include RunsHelper

  test "a taken port fails the run with advice" do
    TCPServer.open("127.0.0.1", 0) do |server|
      run = run_through(build_run(brokers: [ { scenario: "Broker", settings: { port: server.addr[1] } } ]))

      assert_failed run, "deploying", /broker_0 ended with exit code 1.*#{server.addr[1]}/m,
        /Take the port out of the settings/
      assert contents_of(run.archive).key?("logs/local/broker_0/stderr.log")
    end
  end

  test "an unknown broker setting names the nearest" do
    run = run_through(build_run(brokers: [ { scenario: "Broker", settings: { wrokers: 3 } } ]))

    assert_failed run, "deploying", /did you mean broker.workers/, /Correct the settings/
  end

  test "a refused database login hides the password" do
    pg = ApplicationRecord.connection.raw_connection
    run = run_through(build_run(database: "postgresql://nobody:sesame-open@#{pg.host}:#{pg.port}/postgres"))

    assert_failed run, "deploying", /database refuses.*nobody/m, /user and password/
    assert_no_match(/sesame-open/, contents_of(run.archive).values.join + run.events.pluck(:message).join)
  end

  test "a database without required encryption is refused" do
    pg = ApplicationRecord.connection.raw_connection
    run =
      build_run(database: "postgresql://#{pg.user}:#{ERB::Util.url_encode(pg.pass)}@#{pg.host}:#{pg.port}/postgres?sslmode=require")
    assert_match(%r{\Ajdbc:postgresql://.*\?sslmode=require\z}, run.run_database.jdbc_url)
    assert_match(/\AThe database does not answer: /,
      assert_raises(Failure) { run.run_database.dump StringIO.new }.message)

    assert_failed run_through(run), "deploying", /\AThe database refuses: /, /Check the URL/
  end

  test "a missing jar fails the run" do
    [ %i[ prepare_database choose_ports copy_to_machines ],
      %i[ prepare_database choose_ports copy_to_machines create_database ] ].each do |steps|
      run = build_run
      run.launch
      run.advance until run.deploying?
      steps.each { |step| run.phase.send step }
      File.delete "#{run.machines.sole.directory}/mlmq.jar"

      run.advance while run.at_work?
      assert_failed run, "deploying", /mlmq\.jar/, /Launch the run again/
    end
  end

  test "an unknown revision fails before provisioning" do
    run = run_through(build_run(revision: "no-such-branch"))

    assert_failed run, "building", /no revision no-such-branch/, /branch, a tag or a commit/
    assert_empty run.machines
    assert_not run.events.exists?(phase: "provisioning")
  end

  test "a killed JVM fails the run with the end of its log" do
    run = build_run(duration: "60s", **TWO_OF_EACH)
    while_running(run) { |jvms| Process.kill :KILL, pid_of(jvms.find(&:client?)) }

    assert_failed run, "running", /\Aclient_0 was killed by signal 9\n.*INFO/, /logs are in the zip/
    assert_equal 1, run.events.map(&:message).join("\n").scan(run.error.lines.last.strip).size, "its log appears once"
    assert contents_of(run.archive).key?("logs/local/broker_1/performance_broker_1.log")
  end

  test "a run may go on without a dead JVM" do
    run = build_run(duration: "15s", when_jvm_dies: "go_on") # a death that is noticed after the load has no mark
    while_running(run) { |jvms| Process.kill :KILL, pid_of(jvms.find(&:client?)) }

    assert_predicate run, :finished?, run.error
    assert_match(/\Aclient_0 was killed by signal 9$/, run.events.find_by(name: "died").message)
    assert_equal [ "client_0 was killed by signal 9" ], run.outcome.marks.map(&:words)
  end

  test "a cancelled run keeps its logs" do
    run = build_run(duration: "60s")
    while_running(run) { cancel run }

    assert_predicate run, :cancelled?, run.error
    assert_match(/;shutdown;OK;/, contents_of(run.archive).fetch("logs/local/client_0/command.txt.result"))
    assert_nothing_left_of run
  end

  test "a met abort condition fails the run with its logs" do
    run = run_through(build_run(duration: "60s", abort_when: [ "p90 > 1 us for 3 s" ]))

    assert_failed run, "running", /\AGiven up: p90 > 1 us for 3 s/, /says abort_when/
    held = run.samples.where("figures #>> '{times,p90}' IS NOT NULL")
    assert_operator held.maximum(:at) - run.samples.minimum(:at), :>=, 3, "seconds"
    assert contents_of(run.archive).key?("logs/local/client_0/performance_client_0.log")
  end

  private
    def assert_failed(run, phase, error, advice)
      assert_predicate run, :failed?
      assert_equal phase, run.failed_phase
      assert_match error, run.error
      assert_match advice, run.advice
      assert_equal "failed", run.phases.find { |it| it[:name] == phase }[:state]
      assert_nothing_left_of run
    end
end
