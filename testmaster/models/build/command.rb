# Programs on this machine that a build needs.
module Build::Command
  # Its output; a Failure where it does not end well.
  def self.run(*command)
    output, error, status = Open3.capture3({ "GIT_TERMINAL_PROMPT" => "0" }, *command.map(&:to_s), stdin_data: "")
    status.success? ? output : raise(Failure, "#{command.first(2).join(" ")}: #{error.strip.lines.last(3).join.strip}")
  rescue Errno::ENOENT
    raise Failure.new("There is no #{command.first} on this machine", advice: "Run bin/setup, or install #{command.first}.")
  end
end
