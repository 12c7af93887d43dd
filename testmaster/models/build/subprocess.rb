# Runs the programs on this machine that a build needs.
module Build::Subprocess
  WITHIN = 600 # seconds, as a fetch may wait for a server that never responds
  NOT_DONE, NOT_THERE = 124, 127 # exit codes of timeout

  # Returns the output. Raises a Failure if the program fails.
  def self.run(*command, within: WITHIN)
    output, error, status = Open3.capture3(environment, "timeout", "--kill-after=5", within.to_s, *command.map(&:to_s),
      stdin_data: "", unsetenv_others: true)
    return output if status.success?

    raise Failure, "#{command.first(2).join(" ")}: not done after #{within} s" if status.exitstatus == NOT_DONE
    raise Failure.new("There is no #{command.first} on this machine",
      advice: "Run bin/setup, or install #{command.first}.") if status.exitstatus == NOT_THERE
    raise Failure, "#{command.first(2).join(" ")}: #{ForeignText.fit(error).strip.lines.last(3).join.strip}"
  end

  def self.environment
    OwnEnvironment.handed_on(*OwnEnvironment::OF_GIT).merge("GIT_TERMINAL_PROMPT" => "0")
  end
  private_class_method :environment
end
