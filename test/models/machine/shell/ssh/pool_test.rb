require "test_helper"

class Machine::Shell::Ssh::PoolTest < ActiveSupport::TestCase
  Connection = Struct.new(:target, :open, :pinged) do
    alias_method :open?, :open
    def ping = self.pinged = true
    def close = self.open = false
  end

  setup do
    @opened, @lent, @most_lent = [], 0, 0
    @mutex = Mutex.new
  end

  test "lends a limited number of connections per machine" do
    pool = Machine::Shell::Ssh::Pool.new(limit_per_machine: 3)
    Array.new(20) { Thread.new { lend(pool, "a") { sleep 0.01 } } }.each(&:join)

    assert_equal [ 3, 3 ], [ @most_lent, @opened.size ]
  end

  test "closes the longest unused connection at its limit" do
    pool = Machine::Shell::Ssh::Pool.new(limit: 2)
    %w[ a b c ].each { |target| lend(pool, target) { } }

    assert_equal %w[ b c ], @opened.select(&:open?).map(&:target)
    assert_equal 2, pool.size
  end

  test "a waiting thread gets the first released connection" do
    pool = Machine::Shell::Ssh::Pool.new(limit: 1)
    entered, leave = Queue.new, Queue.new
    first = Thread.new { lend(pool, "a") { entered << true; leave.pop } }
    entered.pop
    second = Thread.new { lend(pool, "b") { :served } }
    assert_raises(Machine::Unreachable) { pool.lend(target("c"), within: 0.02, open: -> { flunk }) { } }
    leave << true

    assert_equal :served, second.value
    first.join
    assert_equal 1, pool.size
  end

  test "a failed opening takes no place" do
    pool = Machine::Shell::Ssh::Pool.new(limit: 1)
    2.times do
      assert_raises(Machine::Refused) do
        pool.lend(target("a"), within: 0, open: -> { raise Machine::Refused, "no" }) { }
      end
    end

    assert_equal 0, pool.size
    assert_equal :served, lend(pool, "a") { :served }
  end

  test "a closed connection is not lent again" do
    pool = Machine::Shell::Ssh::Pool.new
    2.times { lend(pool, "a", &:close) }

    assert_equal [ 2, 0 ], [ @opened.size, pool.size ]
  end

  test "a beat pings idle connections" do
    pool = Machine::Shell::Ssh::Pool.new
    lend(pool, "a") { }
    pool.beat

    assert @opened.last.pinged
    assert_equal 1, pool.size
  end

  test "a beat closes long unused connections" do
    pool = Machine::Shell::Ssh::Pool.new(kept: 0)
    lend(pool, "a") { }
    pool.beat

    assert_not_predicate @opened.last, :open?
    assert_equal 0, pool.size
  end

  private
    def lend(pool, name)
      pool.lend target(name), within: 10, open: -> { open(target(name)) } do |connection|
        @mutex.synchronize { @most_lent = [ @most_lent, @lent += 1 ].max }
        yield connection
      ensure
        @mutex.synchronize { @lent -= 1 }
      end
    end

    def open(target)
      Connection.new(target, true).tap { |connection| @mutex.synchronize { @opened << connection } }
    end

    # A name is enough as a target, as it can be compared.
    def target(name)
      name.dup.tap { |target| target.define_singleton_method(:address) { self } }
    end
end
