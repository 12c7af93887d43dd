# Leaves the work of a phase at a point where a person's wish to cancel is heeded.
class TestRun::Cancelled < StandardError
end
