# A client JVM whose requests go by a driver. The address has no password: that comes by the environment. On a server
# that others use too, names of queues are the run's own.
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
