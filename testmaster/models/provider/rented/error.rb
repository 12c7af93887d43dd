# What a cloud answers instead of what was asked for, in words.
class Provider::Rented::Error < Provider::Error
  attr_reader :code

  def initialize(message, code: nil, **rest)
    super message, **rest
    @code = code&.delete(".")
  end

  # Whether another place may have what this one has not.
  def no_room?
    false
  end
end
