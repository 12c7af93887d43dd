# A command that a machine ran to its end, or to its time limit, without success.
class Machine::CommandFailed < Failure
end
