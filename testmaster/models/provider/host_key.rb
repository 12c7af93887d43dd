# The key that a host showed at its first connection.
class Provider::HostKey < ApplicationRecord
  belongs_to :provider

  def fingerprint
    Machine::Shell::Ssh::HostKeys::Key.parse(key).fingerprint
  end
end
