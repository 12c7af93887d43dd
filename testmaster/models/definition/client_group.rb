class Definition::ClientGroup
  include Definition::Worded

  has_words Definition::Words.of_group(counted: Definition::Words::CLIENTS)

  include Definition::Group

  def role
    "client"
  end

  def system
    definition&.system || System.default
  end

  # Counts the clients of all JVMs on all machines.
  def total
    jvms_in_all * client_count.to_i
  end

  def summary
    "#{total} #{scenario}"
  end
end
