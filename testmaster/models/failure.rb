# Ends a run early, with the cause in words and a remedy.
class Failure < StandardError
  LONGEST = 20_000 # characters, as machines provide a part of it

  # The Testmaster's own database is or was unavailable, or two processes blocked each other. The stored state is
  # uncertain, so the work is tried again.
  OUR_OWN_TROUBLE = [ ActiveRecord::ConnectionNotEstablished, ActiveRecord::ConnectionFailed, PG::ConnectionBad,
    ActiveRecord::TransactionRollbackError, RedisClient::Error, Lockable::Lost ]

  attr_reader :advice, :machine, :jvm

  def initialize(message, advice: nil, machine: nil, jvm: nil)
    super ForeignText.fit(message, LONGEST)
    @advice, @machine, @jvm = advice, machine, jvm
  end

  # Adds the machine unless the place is known more exactly.
  def at(machine)
    tap { @machine ||= machine }
  end
end
