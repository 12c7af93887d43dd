# Machines that are rented by the second.
class Provider::Ec2 < Provider
  include Provider::Configurable
  include Settings
end
