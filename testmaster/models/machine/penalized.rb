# sshd refuses our address for a while as a penalty. Further attempts would only prolong it.
class Machine::Penalized < Machine::Unreachable
end
