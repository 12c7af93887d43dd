# Rents instances of Amazon EC2, or of a cloud with the same API.
class Provider::Ec2 < Provider
  include Provider::Configurable
  include Settings
  include Provider::Rented
  include Access, Checkable, Connection, Images, Instances, Pricing, Tags

  ADVICE_ABOUT_END = {
    "Server.SpotInstanceTermination" => "Launch again, raise the maximum price, or launch on demand.",
    "Client.InstanceInitiatedShutdown" => "It shut itself down, as it does when its time is up: raise the run's " \
      "timeout " \
      "or the provider's limit of hours."
  }

  self.powered_off_costs = false # shutting down terminates an instance: see Instances
  self.settings_of_place = %w[ region endpoint owner ]
  self.settings_of_account = %w[ access_key_id profile ]

  # Returns the link to the cloud's own console.
  def console
    "the AWS console"
  end

  def advice_about_end(code)
    ADVICE_ABOUT_END.fetch(code) { "Look at the instance in the AWS console; try another instance type or zone." }
  end
end
