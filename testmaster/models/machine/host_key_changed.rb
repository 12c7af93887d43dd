# The host key differs from the known one: another host may be responding.
class Machine::HostKeyChanged < Machine::Refused
end
