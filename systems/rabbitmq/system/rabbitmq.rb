class System::Rabbitmq < System::Driven
  def files_of_server(settings, heap: nil)
    { "rabbitmq.conf" => settings_of_server(settings).map { |name, value| "#{name} = #{value}\n" }.join }
  end
end
