# Leaves a work at a point where a person's wish to cancel is heeded.
class Cancelled < StandardError
end
