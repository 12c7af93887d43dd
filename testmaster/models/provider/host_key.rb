# The key that a host showed when it was first reached.
class Provider::HostKey < ApplicationRecord
  belongs_to :provider

  def fingerprint
    Machine::Shell::Ssh::HostKeys::Key.parse(key).fingerprint
  end
end
