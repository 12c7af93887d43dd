# Reads logs on the machines of an active run.
class Outcome::Log::OnMachines
  include SideBySide

  PATIENCE = 2 # seconds to wait for another reader
  PATH = %r{\A(?<jvm>(?:broker|client)_\d+)/logs/(?<name>[^/]+)\z}

  # { machine => Failure } of the machines that could not be read.
  attr_reader :trouble

  def self.open(run)
    source = new(run)
    yield source
  ensure
    source&.close
  end

  def initialize(run)
    @run, @trouble = run, {}
    @machines = run.machines.select(&:in_hand?)
  end

  def cut_at = nil

  # Returns { log => text } with the end of each readable log, or its lines that contain the words.
  def ends(words = nil)
    found = {}
    seen(words).each do |_, logs|
      @limit, @searched = [ @limit, logs.limit ].compact.min, [ @searched, logs.searched ].compact.min
      logs.ends.each { |path, text| log(path, logs.sizes[path])&.then { |log| found[log] = text } }
    end
    found
  end

  # Returns whether the log is longer than its end, or has more lines that contain the words.
  def shortened?(log, text, words)
    cut?(log, text, words) || words.present? && log.bytes > @searched
  end

  # Returns whether the text begins within a line.
  def cut?(log, text, words)
    words.blank? ? text.bytesize < log.bytes : text.bytesize >= @limit
  end

  # Returns every log; the ends must be read first.
  def logs
    seen.flat_map { |_, logs| logs.sizes.filter_map { |path, bytes| log(path, bytes) } }
      .sort_by { |log| [ log.jvm, log.name ] }
  end

  def find(jvm_name, name)
    jvm = @run.jvms.find { |each| each.name == jvm_name }
    Outcome::Log.new(self, jvm_name, name, 0) if jvm && name.match?(Outcome::Log::NAME)
  end

  def read(log, at, bytes)
    jvm = @run.jvms.find { |each| each.name == log.jvm }
    machine = @machines.find { |each| each.id == jvm.machine_id } or
      raise Failure.new("#{jvm.machine.name} no longer exists", machine: jvm.machine)
    machine.part_of_log "#{log.jvm}/logs/#{log.name}", at, bytes
  end

  def close
    @machines.each(&:close)
  end

  private
    # One reader at a time is served, as reading disturbs the measurement.
    def seen(words = nil)
      @seen ||= alone do
        paths = @machines.index_with { |machine| machine.jvms.flat_map { |jvm| paths_of jvm } }
        @machines.each(&:shell)
        said = side_by_side(@machines) { |machine| machine.ends_of_logs(paths.fetch(machine), words) rescue $! }
        failed, answered = said.partition { |_, result| result.is_a?(StandardError) }
        raise failed.first.last unless failed.all? { |_, failure| failure.is_a?(Failure) }
        @trouble = failed.to_h
        answered.to_h
      end
    end

    def alone(&block)
      deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + PATIENCE
      until found = @run.holding_lock(:logs, &block)
        if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
          raise Failure.new("Somebody else reads these logs at this moment", advice: "Try again in a moment.")
        end
        sleep 0.1
      end
      found
    end

    def paths_of(jvm)
      @run.system.logs_of(jvm).map { |name| "#{jvm.name}/logs/#{name}" }
    end

    def log(path, bytes)
      match = PATH.match(path)
      Outcome::Log.new(self, match[:jvm], match[:name], bytes) if match && match[:name].match?(Outcome::Log::NAME)
    end
end
