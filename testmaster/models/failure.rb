# What ends a run before its time: the cause in words, and what to do about it.
class Failure < StandardError
  attr_reader :advice, :machine, :jvm

  def initialize(message, advice: nil, machine: nil, jvm: nil)
    super message
    @advice, @machine, @jvm = advice, machine, jvm
  end

  # Where it happened, unless that is known more exactly.
  def at(machine)
    tap { @machine ||= machine }
  end
end
