# Why machines cannot be had.
class Provider::Error < Failure
end
