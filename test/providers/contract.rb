# The behaviour of every kind of provider. Includers have a @provider and a method run_on_it, which makes a run with its
# machines laid out.
module ProviderContract
  extend ActiveSupport::Concern

  included do
    test "is found by name and kind" do
      assert_equal @provider.class, Provider.kinds.fetch(@provider.kind)
      assert_equal @provider, Provider.named(@provider.name)
      assert_equal @provider, Provider.named(@provider.kind)
      assert_predicate @provider.hint, :present?
      assert_equal @provider.configurable?, Provider.configurable_kinds.key?(@provider.kind)
    end

    test "provisioning is repeatable and makes folders" do
      machines = provide(run_on_it)
      assert_equal [ "ready" ], machines.map(&:state).uniq
      machines.each do |machine|
        machine.shell.execute! "mkdir -p #{machine.directory} && touch #{machine.directory}/work"
      end
      before = machines.map { |machine| [ machine.reference, machine.host, machine.directory ] }

      assert_equal before,
        provide(machines.first.test_run).map { |machine| [ machine.reference, machine.host, machine.directory ] }
      machines.each { |machine| assert_predicate machine.shell.execute("test -e #{machine.directory}/work"), :success? }
      assert_equal machines.map(&:id).sort, @provider.live_machines.filter_map(&:id).sort
    end

    test "sweeps machines of ended runs only" do
      machine = provide(run_on_it).first
      machine.shell.execute! "mkdir -p #{machine.directory}/broker_0"
      machine.shell.start "sleep 600", directory: "#{machine.directory}/broker_0"
      pid = machine.shell.execute!("cat #{machine.directory}/broker_0/pid").output.to_i
      assert_empty @provider.leftovers

      machine.test_run.update_columns state: "failed"
      assert_equal machine.test_run.machines.to_a, @provider.leftovers.sort_by(&:id)
      @provider.sweep
      assert_empty @provider.leftovers
      assert_empty machine.test_run.machines.reload.reject(&:released?)
      await { ended?(pid) }
    end

    test "a second release does no harm" do
      run = run_on_it
      machines = provide(run)

      beside = queries_of_other_threads { 2.times { assert_empty @provider.release_all(machines) } }
      assert_empty beside, "other threads must run no SQL"
      machines.each { |machine| assert_nothing_raised { @provider.release Machine.find(machine.id) } }
      run.update_columns state: "finished"
      assert_nothing_raised { @provider.sweep }
      assert_empty @provider.live_machines
    end

    test "a failure during provisioning releases all" do
      run = run_on_it
      assert_raises(Failure) { fail_halfway run }

      assert_empty @provider.release_all(run.machines.reload.reject(&:released?))
      assert_empty run.machines.reload.reject(&:released?)
      assert_empty @provider.live_machines
      assert_empty @provider.leftovers
    end

    test "a check passes and takes no machine" do
      findings = @provider.check

      assert_empty findings.reject(&:ok?).map(&:to_s)
      assert_equal @provider.configurable?, findings.any?
      assert_empty @provider.live_machines
    end

    test "leaves failures without a lost machine as they are" do
      machine = provide(run_on_it).first

      [ Failure.new("something else"), Machine::Unreachable.new("no machine is named"),
        Machine::Unreachable.new("it is slow", machine: machine),
        Failure.new("a JVM died", machine: machine) ].each do |failure|
        assert_same failure, @provider.explain(failure)
      end
    end

    test "a run within its limits is launched and goes on" do
      run = run_on_it
      assert_empty @provider.objections_to(run)
      assert @provider.room_for?(run)

      provide run
      assert_nil @provider.reason_to_stop(run)
    end
  end

  private
    def provide(run)
      @provider.provision(run.machines.reload.to_a) { |message, machine = nil| }
      run.machines.reload.to_a
    end

    # Fails just after the last machine was allocated.
    def fail_halfway(run)
      machines = run.machines.to_a
      @provider.provision(machines) { |_, machine = nil| raise Failure, "halfway" if machine == machines.last }
      raise Failure, "halfway"
    end

    # @return the SQL that other threads ran during the block
    def queries_of_other_threads(&block)
      thread, queries = Thread.current, Queue.new
      note = ->(*, payload) { queries << payload[:sql] unless Thread.current == thread }
      ActiveSupport::Notifications.subscribed(note, "sql.active_record", &block)
      Array.new(queries.size) { queries.pop }
    end

    def ended?(pid)
      File.read("/proc/#{pid}/stat").include?(") Z ")
    rescue Errno::ENOENT, Errno::ESRCH
      true
    end
end
