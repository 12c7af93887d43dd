# Explains errors of a cloud.
class Provider::Rented::Error < Provider::Error
  attr_reader :code

  def initialize(message, code: nil, **rest)
    super message, **rest
    @code = code&.delete(".")
  end

  # Returns whether another place may have capacity.
  def no_room?
    false
  end
end
