# Another host key than the one that is known: somebody else may be answering.
class Machine::HostKeyChanged < Machine::Refused
end
