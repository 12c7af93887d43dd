# What ends a run before its time: the cause in words, and what to do about it.
class Failure < StandardError
  LONGEST = 20_000 # characters: machines tell a part of it

  attr_reader :advice, :machine, :jvm

  def initialize(message, advice: nil, machine: nil, jvm: nil)
    super ForeignText.fit(message, LONGEST)
    @advice, @machine, @jvm = advice, machine, jvm
  end

  # Where it happened, unless that is known more exactly.
  def at(machine)
    tap { @machine ||= machine }
  end
end
