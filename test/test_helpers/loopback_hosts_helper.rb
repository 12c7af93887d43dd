require "loopback_hosts"

# Three hosts to reach by SSH, started for the first test of a process that asks for them.
module LoopbackHostsHelper
  extend ActiveSupport::Concern

  included do
    # A connection that an earlier test left would spare this one the meeting.
    setup { Machine::Shell::Ssh.pool = Machine::Shell::Ssh::Pool.new }
  end

  class << self
    def hosts
      @hosts ||= LoopbackHosts.new(Dir.mktmpdir("hosts")).tap(&:start)
    end

    def remove
      @hosts&.remove
      @hosts = nil
    end
  end

  def loopback_hosts
    LoopbackHostsHelper.hosts
  end
end

Minitest.after_run { LoopbackHostsHelper.remove }
ActiveSupport::TestCase.parallelize_teardown { LoopbackHostsHelper.remove }
