# sshd does not talk to our address for a while, as it holds something against it. More attempts would only make that
# last longer.
class Machine::Penalized < Machine::Unreachable
end
