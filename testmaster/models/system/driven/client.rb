# A client JVM that sends its requests by a driver. The address has no password, which comes from the environment. On a
# shared server, queue names are unique for the run.
class System::Driven::Client < System::Mlmq::Program
  def environment_names
    [ @system.secret ]
  end

  def properties
    group = test_run.broker_groups.first
    driver = { "driver" => @system.driver, "driver.address" => @system.address_of(test_run),
      **({ "driver.prefix" => "run_#{test_run.id}" } if group.address?).to_h,
      **@system.settings_of_driver(group.settings).transform_keys { |word| "driver.#{word}" } }
    super.except("common.scenario.mapping.broker").reverse_merge(driver.transform_keys { |word| "client.#{word}" })
  end

  private
    def program
      "-cp #{@system.products.keys.map { |jar| "../#{jar}" }.join(":")} #{test_run.build.jar.main_class}"
    end
end
