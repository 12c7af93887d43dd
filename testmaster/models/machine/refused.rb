# The machine refuses access permanently: because of a wrong key, or a host key that differs from the known one.
class Machine::Refused < Failure
end
