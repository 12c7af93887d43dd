# Where machines come from. A kind of provider answers:
#
#   provision(machines) { |message, machine| }   makes them ready; asked again it does what is missing
#   release(machine)                             gives one back; asked again nothing happens
#   keep(machines)                               those that stay for the next run of an experiment
#   shell(machine)                               how commands are run there
#   live_machines                                what lives, by the provider's own account
#   leftovers                                    those among them that belong to no run at work
#   room_for?(test_run)                          whether it may begin now
#   objections_to(test_run)                      why it must not be launched
#   objections_to_series(runs, time:, cost:)     why so many, in an experiment, must not be launched
#   reason_to_stop(test_run)                     why a run at work must end now: a Failure
#   check                                        findings: would a launch go well?
#   explain(failure)                             the same failure, or one that says what became of its machine
#
# Others ask what it can do, never what kind it is:
#
#   one_machine?         all JVMs of a run share the one machine there is
#   rented?              machines exist only for their run, have types and prices, and cannot reach this machine
#   configurable?        it has settings, and there may be several of its kind (Provider::Configurable)
#   learns_host_keys?    it keeps the keys that its hosts show
class Provider < ApplicationRecord
  # A new kind is a line here, and a class of that name beside Provider::Local.
  KINDS = %w[ local ssh ec2 ]

  include Experienced, Lockable, SideBySide, Swept

  has_many :test_runs, dependent: :restrict_with_error
  has_many :machines, dependent: :restrict_with_error

  serialize :settings, type: Hash, coder: JSON
  encrypts :settings

  validates :name, presence: true, uniqueness: true, length: { maximum: 60 }

  class_attribute :one_machine, :rented, :configurable, :learns_host_keys, default: false, instance_writer: false
  class_attribute :hint, instance_writer: false # what its machines are, in a few words

  class << self
    # { "local" => Provider::Local, … }
    def kinds
      KINDS.index_with { |kind| "Provider::#{kind.camelize}".constantize }
    end

    def configurable_kinds
      kinds.select { |_, provider| provider.configurable? }
    end

    # "local", "ssh", "ec2"
    def kind
      name.demodulize.underscore
    end

    # "EC2"
    def title
      kind.upcase
    end

    # What a definition means: a provider by its name, or the first of a kind.
    def named(text)
      found = find_by(name: text) || order(:id).detect { |provider| provider.kind == text }
      found || (Provider::Local.default if text == Provider::Local.kind)
    end
  end

  delegate :kind, :title, to: :class

  def room_for?(test_run)
    true
  end

  def objections_to(test_run)
    []
  end

  # runs: one for each point, not saved; time [s] and cost [USD] of all repetitions
  def objections_to_series(runs, time:, cost:)
    runs.flat_map { |run| objections_to(run) }.uniq.first(5)
  end

  def reason_to_stop(test_run)
  end

  def live_machines
    machines.held.to_a
  end

  # The runs are read last: what a run that begins meanwhile has is its own.
  def leftovers
    live = self.class.uncached { live_machines }
    at_work = TestRun.uncached { test_runs.at_work.ids }
    live.reject { |machine| machine.test_run_id.in?(at_work) }
  end

  # Gives back what was left over, however that came about.
  def sweep(found = leftovers)
    failures = give_back(found)
    raise failures.values.first if failures.any?
  end

  def keep(machines)
    []
  end

  # Side by side, as one that does not answer must not hold up the others: { machine => why it could not be given back
  # now }
  def give_back(machines)
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

  # The same, for pages before which a person waits: gives up sooner where nothing answers.
  def impatient
    self
  end

  def explain(failure)
    failure
  end

  # Of groups that name no type of machine
  def default_type(role)
  end

  # USD, where machines have a price
  def hourly_price(type)
  end

  private
    # One that cannot be given back now does not keep the others from it.
    def failure_to_part_with(machine)
      part_with machine
      nil
    rescue Failure => failure
      failure
    end

    # What is done for each machine beside the others; leaves our own database alone.
    def part_with(machine)
      release machine
    end
end
