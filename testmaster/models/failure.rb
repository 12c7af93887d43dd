# What ends a run before its time: the cause in words, and what to do about it.
class Failure < StandardError
  LONGEST = 20_000 # characters: machines tell a part of it

  # What we ourselves live on is, or was, away, or two of us were in each other's way. What is written down by now is
  # uncertain, so the work is tried again.
  OUR_OWN_TROUBLE = [ ActiveRecord::ConnectionNotEstablished, ActiveRecord::ConnectionFailed, PG::ConnectionBad,
    ActiveRecord::TransactionRollbackError, RedisClient::Error, Lockable::Lost ]

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
