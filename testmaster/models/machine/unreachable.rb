# A machine that does not answer now, and may answer later.
class Machine::Unreachable < Failure
end
