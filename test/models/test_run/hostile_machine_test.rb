require "test_helper"
require "test_helpers/hostile_machine"

# Runs on a machine whose programs are replaced during the load.
class TestRun::HostileMachineTest < ActionDispatch::IntegrationTest
  include HostileMachine, RunsHelper, SignInHelper

  FIGURES = %({"ms":1,"state":"measuring","rate":1e999,"ok":#{10**40},"errors":-1,"late":"x","waiting":[1],"mean":{},) +
    %("p99":1e308,"clients":"\\u0000","heap":1e308,"queue":-7,"version":"\\ud800"})

  test "invalid figures make gaps only" do
    run = build_run(duration: "4s")
    while_running(run) do |jvms|
      told = jvms.map { |jvm| says("#{FIGURES}\n") }
      after_each_jvm jvms, told.first + "head -c 100000 /dev/zero | tr '\\0' A; echo; #{says("#{RUBBISH}\n")}"
    end

    assert_predicate run, :finished?, run.error
    assert_no_mistake_of_ours run
    assert_shown run
  end

  test "a machine that omits a JVM fails the run" do
    run = build_run(duration: "60s")
    while_running(run) { |jvms| replace_script jvms.first.machine, "glance", "echo\n" }

    assert_predicate run, :failed?
    assert_match(/\Alocal did not report the state of .*\z/, run.error)
    assert_no_mistake_of_ours run
    assert_shown run
  end

  test "endless output of a machine fails the run" do
    run = build_run(duration: "60s")
    while_running(run) { |jvms| replace_script jvms.first.machine, "glance", "yes '#{"x" * 1_000}'\n" }

    # A busy machine reaches the limit of time before that of bytes.
    assert_predicate run, :failed?
    assert_match(/said more than the #{Machine::Limits::SAID} bytes|not done after 20 s/, run.error)
    assert_no_mistake_of_ours run
  end

  test "files that are not there are missing from the zip" do
    run = build_run(duration: "3s")
    while_running(run) do |jvms|
      known = Machine::Shell::Scripts.texts.fetch("compress")
      replace_script jvms.first.machine, "compress", known.sub(/^cat listing$/, <<~SH)
        cat listing
        grep -h . listing | sed 's,broker_0/logs/,broker_0/logs/../,'
        sed 's,\\./broker_0/config.properties,./broker_0/logs/config.properties,' listing
        echo '999 ./broker_0/logs/void.log'; echo '999 ./broker_0/logs/void.log.gz'
        echo '#{"b" * 64}  ./broker_0/logs/void.log.gz'
        #{says("7 ./broker_0/logs/#{RUBBISH}\n")}
      SH
    end

    assert_predicate run, :failed?
    assert_match(/files are missing/, run.error)
    assert contents_of(run.archive).key?("logs/local/broker_0/performance_broker_0.log")
    assert_no_mistake_of_ours run
    assert_shown run
  end

  private
    # Adds lines to the output of each JVM.
    def after_each_jvm(jvms, more)
      outputs = jvms.map { |jvm| says("==> #{jvm.name}/logs/stdout.log <==\n") + more }
      text = Machine::Shell::Scripts.texts.fetch("glance")
      raise "glance.sh has changed" unless text.end_with?("exit 0\n")

      replace_script jvms.first.machine, "glance", text.delete_suffix("exit 0\n") + outputs.join("\n")
    end

    def assert_no_mistake_of_ours(run)
      told = [ run.error, run.advice, *run.events.pluck(:message) ].join("\n")
      assert_no_match(/mistake of the Testmaster|Error:/, told)
    end

    def assert_shown(run)
      run.examine
      sign_in_as users(:experimenter)
      [ test_run_path(run), test_run_path(run, format: :json), test_run_series_path(run, format: :json),
        test_run_logs_path(run) ].each do |path|
        get path
        assert_response :success, path
      end
    end
end
