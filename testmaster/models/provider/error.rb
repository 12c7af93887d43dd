# Reports why machines are not available.
class Provider::Error < Failure
end
