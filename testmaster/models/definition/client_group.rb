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

  # Returns whether it starts requests at a rate, however long responses take.
  def open_load?
    settings["rate"].present?
  end

  # Returns whether its clients take messages.
  def takes?
    !!Scenario.find(scenario)&.takes?(settings["mix"].presence)
  end

  # Counts the clients of all JVMs on all machines.
  def total
    jvms_in_all * client_count.to_i
  end

  def summary
    "#{total} #{scenario}"
  end
end
