require "test_helper"
require "minitest/mock"

class TestRun::Phase::CollectingTest < ActiveSupport::TestCase
  include RunsHelper

  test "an unwritable zip keeps the logs, releases machines" do
    run = build_run(clients: [ { scenario: "PublicQueueProducer", clients: 1, settings: { rate: "20/s" } } ],
      duration: "2s", warmup: 0)
    full_disk = Module.new { def write_to(io) = raise(Errno::ENOSPC) }
    Outcome::Archive.prepend full_disk

    run_through run
    assert_predicate run, :failed?
    assert_equal "collecting", run.failed_phase
    assert_match "Could not write the zip: #{Errno::ENOSPC.new.message}", run.error
    spool = Rails.configuration.x.run_root.join("run_#{run.id}/spool")
    assert_predicate spool.join("local/client_0/logs/performance_client_0.log.gz"), :exist?
    assert_empty run.machines.reject(&:released?)
  ensure
    full_disk.remove_method :write_to
    FileUtils.rm_rf spool.dirname
  end

  test "a zip that cannot be stored keeps the logs" do
    run = build_run(clients: [ { scenario: "PublicQueueProducer", clients: 1, settings: { rate: "20/s" } } ],
      duration: "2s", warmup: 0)
    full_disk = ->(*, **) { raise Errno::ENOSPC }
    run.launch
    run.advance until run.collecting?
    ActiveStorage::Blob.service.stub(:upload, full_disk) { run.advance }

    run = TestRun.find(run.id)
    run.advance while run.at_work?
    assert_predicate run, :failed?
    assert_includes run.events.where(name: "missing").pluck(:message),
      "Could not write the zip: #{Errno::ENOSPC.new.message}"
    assert_not_predicate run.archive, :attached?
    spool = Rails.configuration.x.run_root.join("run_#{run.id}/spool")
    assert_predicate spool.join("local/client_0/logs/performance_client_0.log.gz"), :exist?
  ensure
    FileUtils.rm_rf spool.dirname if spool
  end

  test "a worker killed after the release loses nothing" do
    run = build_run(clients: [ { scenario: "PublicQueueProducer", clients: 1, settings: { rate: "20/s" } } ],
      duration: "2s", warmup: 0)
    run.launch
    run.advance until run.collecting?
    killed = Class.new(Exception)
    given_back = Module.new { define_method(:release) { |machine| super(machine) && raise(killed) } }
    Provider::Local.prepend given_back

    assert_raises(killed) { run.advance }
    given_back.remove_method :release
    run = TestRun.find(run.id)
    run.advance while run.at_work?

    assert_predicate run, :finished?, run.error
    assert contents_of(run.archive).key?("logs/local/client_0/performance_client_0.log")
    assert_nothing_left_of run
  end

  test "a worker killed while storing the zip loses nothing" do
    run = build_run(clients: [ { scenario: "PublicQueueProducer", clients: 1, settings: { rate: "20/s" } } ],
      duration: "2s", warmup: 0)
    run.launch
    run.advance until run.collecting?
    killed = Class.new(Exception)

    assert_raises(killed) do
      ActiveStorage::Blob.service.stub(:upload, ->(*, **) { raise killed }) { run.advance }
    end
    run = TestRun.find(run.id)
    assert_not_predicate run.archive, :attached?
    run.advance while run.at_work?

    assert contents_of(run.archive).key?("logs/local/client_0/performance_client_0.log")
  end
end
