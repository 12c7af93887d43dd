# A machine that will not let us in however often we ask: a wrong key, another host key than the one we know.
class Machine::Refused < Failure
end
