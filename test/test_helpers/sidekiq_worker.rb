# Runs a real worker for the jobs of a test in its own process.
class SidekiqWorker
  LOG = Rails.root.join("log/sidekiq_of_tests.log")

  def self.run(environment = {})
    worker = new(environment)
    yield
  ensure
    worker&.stop
  end

  def initialize(environment)
    @pid = Process.spawn(environment, "bundle", "exec", "sidekiq", out: [ LOG.to_s, "a" ], err: [ :child, :out ],
      chdir: Rails.root.to_s)
  end

  def stop
    Process.kill :TERM, @pid
    Process.wait @pid
  end
end
