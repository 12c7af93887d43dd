# A command on a machine failed or exceeded its time limit.
class Machine::CommandFailed < Failure
  ADVICE = {
    /No space left on device|Disk quota exceeded|File too large/ => "The disk is full: free some space there (df -h " \
      "shows where), or let the run's folder lie on another disk.",
    /command not found|: not found/                              => "Install what is missing there.",
    /Permission denied|Operation not permitted/                  => "Let the user that the Testmaster connects as " \
      "own the folder, or choose another one.",
    /Read-only file system/                                      => "The disk is mounted read-only, often after an " \
      "error: see dmesg there.",
    /Cannot allocate memory|Cannot fork/                         => "The machine is out of memory or processes: see " \
      "free and ps there, or let fewer JVMs run on it."
  }

  def self.with(command, result)
    said = (result.complaint.presence || result.text.strip).truncate(800)
    where = "exit code #{result.status} of: #{command.lines.first.strip.truncate(120)}"
    new said.empty? ? where.upcase_first : "#{said} (#{where})",
      advice: ADVICE.find { |words, _| said.match?(words) }&.last
  end
end
