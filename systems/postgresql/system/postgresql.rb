class System::Postgresql < System::Driven
  DEFAULTS = { "max_connections" => "500" }


  def files_of_server(settings, heap: nil)
    { "postgresql.conf" => DEFAULTS.merge(settings_of_server(settings)).map { |name, value|
      "#{name} = '#{value.gsub("'", "''")}'\n"
    }.join }
  end

  private
    def path = "/postgres"
end
