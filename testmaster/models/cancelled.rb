# Ends work at a point where it checks whether a user has cancelled it.
class Cancelled < StandardError
end
