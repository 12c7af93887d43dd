# Programs on this machine that a build needs.
module Build::Command
  # Its output; a Failure where it does not end well.
  def self.run(*command)
    output, error, status = Open3.capture3(environment, *command.map(&:to_s), stdin_data: "", unsetenv_others: true)
    status.success? ? output : raise(Failure, "#{command.first(2).join(" ")}: #{error.strip.lines.last(3).join.strip}")
  rescue Errno::ENOENT
    raise Failure.new("There is no #{command.first} on this machine",
      advice: "Run bin/setup, or install #{command.first}.")
  end

  def self.environment
    OwnEnvironment.handed_on(*OwnEnvironment::OF_GIT).merge("GIT_TERMINAL_PROMPT" => "0")
  end
  private_class_method :environment
end
