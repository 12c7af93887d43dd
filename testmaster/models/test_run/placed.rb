# Assigns JVMs to machines: positions are counted over all groups of a role, in the order of the groups.
module TestRun::Placed
  # Returns the JVMs of the loaded machines, so that each machine keeps its one shell.
  def all_jvms
    machines.flat_map { |machine| machine.jvms.to_a }.sort_by { |jvm| [ jvm.role, jvm.position ] }
  end

  def brokers
    all_jvms.select(&:broker?)
  end

  def clients
    all_jvms.select(&:client?)
  end

  # Creates the machines of the definition with their JVMs.
  def lay_out
    TestRun::Layout.new(self).perform
    machines.reset
    jvms.reset
  end

  # Returns the properties that tell every JVM the addresses of all.
  def mapping
    @mapping ||= system.mapping_of(self)
  end

  def reload(...)
    @mapping = nil
    super
  end

  def initialize_dup(other)
    @mapping = nil
    super
  end
end
