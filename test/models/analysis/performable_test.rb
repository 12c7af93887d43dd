require "test_helper"
require "minitest/mock"

class Analysis::PerformableTest < ActiveSupport::TestCase
  setup do
    @analysis = analyses(:response_time)
    @analysis.test_run.archive.attach io: StringIO.new("no zip"), filename: "test_run.zip",
      content_type: "application/zip"
  end

  test "a completed analysis is not made again" do
    @analysis.update! state: "completed", completed_at: 1.hour.ago
    Dir.stub(:mktmpdir, ->(*) { flunk "made twice" }) { @analysis.perform }

    assert_predicate @analysis.reload, :completed?
  end

  test "a plot is drawn for light and for dark pages" do
    lines = (1..200).map { |n| "#{n * 100};#{1383684920000 + n * 10};CSndReq#OK#sendMessage;C[1]" }
    log = "MLMQ performance log Scenario[OneWayClient] Role[client] Position[0] Clients[1] Unit[us] Sample[1/1] " \
      "Started[1383684920000]\n" + lines.join("\n")
    zip = Zip::OutputStream.write_buffer do |out|
      out.put_next_entry "logs/local/client_0/performance_client_0.log"
      out.write log
    end
    @analysis.test_run.archive.attach io: StringIO.new(zip.string), filename: "test_run.zip",
      content_type: "application/zip"
    @analysis.perform

    assert_predicate @analysis.reload, :completed?, @analysis.error
    assert_match(/fill="?.*(#ffffff|255, ?255, ?255)/, @analysis.plot.download)
    assert_match(/#1a1b1f|26, ?27, ?31/, @analysis.dark_plot.download)
  end

  test "cancelling an active analysis ends its process" do
    pid = Rails.root.join("tmp/test/pid_of_analysis_#{Process.pid}")
    @analysis.define_singleton_method(:analyzer) { |*| "echo $$ > #{pid}; exec sleep 60" }
    cancelling = Thread.new do
      await { pid.exist? && pid.read.present? }
      Analysis.find(@analysis.id).cancel
    end
    @analysis.perform
    cancelling.join

    assert_raises(Errno::ESRCH) { Process.kill 0, Integer(pid.read) }
    assert_predicate @analysis.reload, :cancelled?
    assert_not_predicate @analysis, :cancelling?
  ensure
    pid&.delete if pid&.exist?
  end

  test "a waiting analysis is cancelled at once" do
    @analysis.cancel
    assert_predicate @analysis.reload, :cancelled?
    Dir.stub(:mktmpdir, ->(*) { flunk "made after the cancellation" }) { @analysis.perform }
  end

  test "deleting an active analysis ends its process" do
    pid = Rails.root.join("tmp/test/pid_of_analysis_#{Process.pid}")
    @analysis.define_singleton_method(:analyzer) { |*| "echo $$ > #{pid}; exec sleep 60" }
    deleting = Thread.new do
      await { pid.exist? && pid.read.present? }
      Analysis.find(@analysis.id).destroy!
    end
    assert_no_difference -> { ActiveStorage::Blob.count } do
      @analysis.perform
    end
    deleting.join

    assert_raises(Errno::ESRCH) { Process.kill 0, Integer(pid.read) }
    assert_raises(ActiveRecord::RecordNotFound) { @analysis.reload }
  ensure
    pid&.delete if pid&.exist?
  end

  test "a full disk makes the analysis fail for good" do
    Dir.stub(:mktmpdir, ->(*) { raise Errno::ENOSPC }) { @analysis.perform }

    assert_equal [ "failed", "Errno::ENOSPC: #{Errno::ENOSPC.new.message}" ],
      @analysis.reload.then { |it| [ it.state, it.error ] }
    travel 1.hour
    assert_empty Analysis.abandoned
  end

  test "a killed log analyzer makes the analysis fail" do
    killed = Machine::Shell::Result.new(output: "", error: "", status: 137)
    Machine::Shell::Local.stub(:new, Struct.new(:result) { def execute(*, **) = result }.new(killed)) do
      @analysis.perform
    end

    assert_equal [ "failed", "log_analyzer ended with exit code 137" ],
      @analysis.reload.then { |it| [ it.state, it.error ] }
  end

  test "an analysis is not tried a fourth time" do
    killed = Class.new(Exception)
    Dir.stub(:mktmpdir, ->(*) { raise killed }) do
      3.times { assert_raises(killed) { @analysis.perform } }
      @analysis.perform
    end

    assert_match "interrupted 3 times", @analysis.reload.error
    assert_predicate @analysis, :failed?
  end

  test "a lost database connection is no failed analysis" do
    Dir.stub(:mktmpdir, ->(*) { raise PG::ConnectionBad, "gone" }) do
      assert_raises(PG::ConnectionBad) { @analysis.perform }
    end

    assert_predicate @analysis.reload, :processing?
  end
end
