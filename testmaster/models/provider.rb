# Where machines come from. A kind of provider answers:
#
#   provision(machines) { |message, machine| }   makes them ready; asked again it does what is missing
#   release(machine)                             gives one back; asked again nothing happens
#   shell(machine)                               how commands are run there
#   live_machines                                what lives, by the provider's own account
#   leftovers                                    those among them that belong to no run at work
#   room_for?(test_run)                          whether it may begin now
#   objections_to(test_run)                      why it must not be launched
#   check                                        findings: would a launch go well?
#   explain(failure)                             the same failure, or one that says why a machine does not answer any more
class Provider < ApplicationRecord
  include Lockable, SideBySide

  has_many :test_runs, dependent: :restrict_with_error
  has_many :machines, dependent: :restrict_with_error

  serialize :settings, type: Hash, coder: JSON
  encrypts :settings

  validates :name, presence: true, uniqueness: true, length: { maximum: 60 }

  # Those of which there may be several: { "ec2" => Provider::Ec2 }
  def self.kinds
    %w[ ssh ec2 ].index_with { |kind| "Provider::#{kind.capitalize}".safe_constantize }.compact
  end

  # "local", "ssh", "ec2"
  def kind
    self.class.name.demodulize.downcase
  end

  # Whether all JVMs of a run share the one machine there is.
  def one_machine?
    false
  end

  def room_for?(test_run)
    true
  end

  def objections_to(test_run)
    []
  end

  def live_machines
    machines.held.to_a
  end

  def leftovers
    at_work = test_runs.at_work.ids
    live_machines.reject { |machine| machine.test_run_id.in?(at_work) }
  end

  # Gives back what was left over, however that came about.
  def sweep(found = leftovers)
    failures = give_back(found)
    raise failures.values.first if failures.any?
  end

  # Side by side, as one that does not answer must not hold up the others: { machine => why it could not be given back now }
  def give_back(machines)
    machines.each(&:begin_release)
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

  # USD that one run may cost, where there is a limit
  def spending_limit
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
