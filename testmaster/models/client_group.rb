class ClientGroup < ApplicationRecord
  include Group

  validates :client_count, numericality: { only_integer: true, in: 1..1_000 }

  def role
    "client"
  end

  def system
    test_run&.system || System.default
  end

  # Clients in all JVMs on all machines
  def total
    machine_count.to_i * jvm_count.to_i * client_count.to_i
  end

  def summary
    "#{total} #{scenario}"
  end

  private
    def definition_of_clients
      { "clients" => client_count }
    end
end
