# The machine does not respond now, but may respond later.
class Machine::Unreachable < Failure
end
