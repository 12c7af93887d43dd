require "test_helper"

# Runs bin/worker with a stand-in for bundle, which records its start and then waits.
class WorkerTest < ActiveSupport::TestCase
  setup do
    @folder = Pathname(Dir.mktmpdir)
    @folder.join("bundle").write("#!/bin/sh\necho $$ >>#{@folder}/pids\nexec sleep 600\n").then do
      @folder.join("bundle").chmod(0755)
    end
    @worker = Process.spawn({ "PATH" => "#{@folder}:#{ENV["PATH"]}" }, Rails.root.join("bin/worker").to_s,
      err: @folder.join("errors").to_s)
  end

  teardown do
    Process.kill :KILL, @worker if @worker
    pids.each { |pid| Process.kill :KILL, pid rescue nil }
    FileUtils.rm_rf @folder
  end

  test "a killed worker restarts, a stopped one does not" do
    await { pids.one? }
    Process.kill :KILL, pids.first
    await { pids.many? }
    assert_match "it is started again", @folder.join("errors").read

    Process.kill :TERM, @worker
    Process.wait @worker
    @worker = nil
    assert_equal 2, pids.size
    assert_raises(Errno::ESRCH) { Process.kill 0, pids.last }
  end

  private
    def pids
      @folder.join("pids").then { |file| file.exist? ? file.readlines.map(&:to_i) : [] }
    end
end
