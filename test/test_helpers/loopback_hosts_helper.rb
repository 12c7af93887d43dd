require "loopback_hosts"

# Three hosts for SSH, started by the first test of a process that uses them.
module LoopbackHostsHelper
  extend ActiveSupport::Concern

  included do
    # A connection of an earlier test would skip the handshake of this one.
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
