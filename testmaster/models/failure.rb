# What ends a run before its time: the cause in words, and what to do about it.
class Failure < StandardError
  attr_reader :advice, :machine, :jvm

  def initialize(message, advice: nil, machine: nil, jvm: nil)
    super message
    @advice, @machine, @jvm = advice, machine, jvm
  end
end
