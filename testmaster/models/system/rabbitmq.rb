class System::Rabbitmq < System::Driven
  def driver        = "amqp"
  def driver_folder = "drivers/amqp"
  def packages      = "rabbitmq-server"
  def schemes       = %w[ amqp amqps ]
  def scheme        = "amqp"

  def files_of_server(settings, heap: nil)
    { "rabbitmq.conf" => settings_of_server(settings).map { |name, value| "#{name} = #{value}\n" }.join }
  end
end
