# Provides the machines of runs. A kind of provider implements:
#
#   provision(machines) { |message, machine| }   makes them ready; a further call does what is missing
#   release(machine)                             releases one; a further call does nothing
#   keep(machines)                               keeps those that the next run of an experiment can use
#   shell(machine)                               returns the Shell that runs commands there
#   live_machines                                returns the running machines, as the provider reports them
#   leftovers                                    returns those of them that belong to no active run
#   room_for?(test_run)                          returns whether it may begin now
#   objections_to(test_run)                      returns why it must not be launched
#   objections_to_series(runs, time:, cost:)     returns why the runs of an experiment must not be launched
#   reason_to_stop(test_run)                     returns a Failure if an active run must end now
#   check                                        returns findings that tell whether a launch would succeed
#   explain(failure)                             returns the failure, or one that explains what happened to its machine
#
# Other classes ask for these abilities and never for the kind:
#
#   one_machine?         all JVMs of a run share the one machine that exists
#   rented?              machines exist only for their run, have types and prices, and cannot reach this machine
#   configurable?        it has settings, and several of its kind may exist (Provider::Configurable)
#   learns_host_keys?    it stores the keys that its hosts show
class Provider < ApplicationRecord
  # A new kind needs a word here, and a class of that name beside Provider::Local.
  KINDS = %w[ local ssh ec2 ]

  include Experienced, Lockable, SideBySide, Swept

  has_many :test_runs, dependent: :restrict_with_error
  has_many :machines, dependent: :restrict_with_error
  has_many :calibrations, class_name: "Machine::Calibration", dependent: :delete_all

  serialize :settings, type: Hash, coder: JSON
  encrypts :settings

  validates :name, presence: true, uniqueness: true, length: { maximum: 60 }

  class_attribute :one_machine, :rented, :configurable, :learns_host_keys, default: false, instance_writer: false
  class_attribute :hint, instance_writer: false # describes its machines in a few words

  class << self
    # Returns { "local" => Provider::Local, … }.
    def kinds
      KINDS.index_with { |kind| "Provider::#{kind.camelize}".constantize }
    end

    def configurable_kinds
      kinds.select { |_, provider| provider.configurable? }
    end

    # Returns "local", "ssh" or "ec2".
    def kind
      name.demodulize.underscore
    end

    # Returns a text such as "EC2".
    def title
      kind.upcase
    end

    # Finds the provider that a definition names: by its name, or the first of a kind.
    def named(text)
      found = find_by(name: text) || order(:id).detect { |provider| provider.kind == text }
      found || (Provider::Local.default if text == Provider::Local.kind)
    end
  end

  delegate :kind, :title, to: :class

  def disabled?
    disabled_at.present?
  end

  def room_for?(test_run)
    true
  end

  def objections_to(test_run)
    []
  end

  # runs has one unsaved run for each point; time [s] and cost [USD] are those of all repetitions.
  def objections_to_series(runs, time:, cost:)
    runs.flat_map { |run| objections_to(run) }.uniq.first(5)
  end

  def reason_to_stop(test_run)
  end

  def live_machines
    machines.held.to_a
  end

  # Runs are read after the machines, so that machines of a run that begins meanwhile count as its own.
  def leftovers
    live = self.class.uncached { live_machines }
    at_work = TestRun.uncached { test_runs.at_work.ids }
    live.reject { |machine| machine.test_run_id.in?(at_work) }
  end

  # Releases orphaned machines, whatever orphaned them.
  def sweep(found = leftovers)
    failures = release_all(found)
    raise failures.values.first if failures.any?
  end

  def keep(machines)
    []
  end

  # Releases machines in parallel, as one that does not respond must not delay the others. Returns { machine => reason
  # why it could not be released now }.
  def release_all(machines)
    machines = machines.select(&:begin_release)
    failures = side_by_side(machines) { |machine| failure_to_part_with(machine) }.compact
    machines.each { |machine| machine.end_release unless failures.key?(machine) }
    failures
  ensure
    machines.each(&:close)
  end

  def check
    []
  end

  # Returns this provider with short time limits, for pages on which a user waits.
  def impatient
    self
  end

  def explain(failure)
    failure
  end

  # The type applies to groups that name none.
  def default_type(role)
  end

  # Returns USD if machines have a price.
  def hourly_price(type)
  end

  private
    # A machine that cannot be released now does not prevent the release of the others.
    def failure_to_part_with(machine)
      part_with machine
      nil
    rescue Failure => failure
      failure
    end

    # This runs for several machines in parallel, so it must not use the Testmaster's database.
    def part_with(machine)
      release machine
    end
end
