require_relative "stage"

# Launches short runs and kills the worker once in each phase until the wanted number of kills is reached. Then it
# checks the runs.
class KillCampaign
  PATIENCE = 180 # seconds until a run must have ended
  PHASES = TestRun::Phase::NAMES
  DEFINITION = {
    "name" => "Killed", "duration" => "2s",
    "brokers" => [ { "scenario" => "Broker", "jvms" => 1 } ],
    "clients" => [ { "scenario" => "OneWayClient", "jvms" => 2, "clients" => 2, "settings" => { "rate" => "50/s" } } ]
  }

  def initialize(kills:, seed:, revision:, cut: false)
    @kills, @seed, @random, @revision, @cut = kills, seed, Random.new(seed), revision, cut
    @kills_in, @complaints = Hash.new(0), []
  end

  def run
    puts "seed #{@seed}"
    Stage.open do |stage|
      @stage = stage
      stage.start_worker
      warm_up
      runs = kill_in_runs
      runs.each { |run| judge run }
    end
    in_order = @kills_in.sort_by { |phase, _| PHASES.index(phase) || PHASES.size }
    puts "in #{in_order.map { |pair| pair.join(" ") }.join(", ")}"
    puts "#{killed} kills, #{@complaints.size} complaints", @complaints
    @complaints.empty? ? 0 : 1
  end

  private
    # @return the ended runs; fewer after a signal
    def kill_in_runs
      runs = []
      runs << launch_and_kill while killed < @kills
      runs
    rescue SignalException => signal
      puts "", "ended by #{signal.message.presence || signal.signm}"
      runs
    end

    def killed
      @kills_in.values.sum
    end

    # The delay is mostly close to zero, as some phases are short, and rarely close to two seconds.
    def delay
      @random.rand**3 * 2
    end

    # The jar is built first, so that the phases of all runs are short and similar.
    def warm_up
      Build.of(@revision).perform { }
    end

    # Kills once in each phase, then lets the run end.
    def launch_and_kill
      run = TestRun.from_definition(DEFINITION.merge("revision" => @revision))
      run.launch or raise run.errors.full_messages.to_sentence
      PHASES.each { |phase| kill_in run, phase if killed < @kills }
      await("run #{run.id} to end") { run.reload.ended? }
      print run.state, "\n"
      run
    end

    def kill_in(run, phase)
      await("run #{run.id} to be #{phase}") do
        run.reload.state == phase || PHASES.index(run.state).to_i > PHASES.index(phase) || run.ended?
      end
      return if run.ended?

      sleep delay
      state = run.reload.state
      @cut ? @stage.cut_connections : replace_worker
      @kills_in[state] += 1
      print "run #{run.id}: #{@cut ? "cut" : "killed"} in #{state}; "
    end

    def replace_worker
      @stage.kill_worker
      @stage.start_worker
    end

    def judge(run)
      complain run, "ended as #{run.state}: #{run.error}" unless run.finished?
      complain run, "has no logs" unless run.archive.attached?
      complain run, "has a machine left" if run.machines.any? { |machine| !machine.released? }
      complain run, "left its folder" if Rails.configuration.x.run_root.join("run_#{run.id}").exist?
      complain run, "left its database" if database_of(run)
      complain run, "left processes #{processes_of(run)}" if processes_of(run).any?
      judge_archive run if run.archive.attached?
    end

    # Each client must be started exactly once.
    def judge_archive(run)
      run.archive.open do |file|
        Zip::File.open(file.path) do |zip|
          run.jvms.each do |jvm|
            folder = "logs/local/#{jvm.name}"
            unless zip.find_entry("#{folder}/performance_#{jvm.name}.log")
              complain run, "lacks the performance log of #{jvm.name}"
            end
            next unless jvm.client?

            starts = zip.find_entry("#{folder}/command.txt.result")&.get_input_stream&.read
              .to_s.lines.grep(/;start \d+;OK/)
            complain run, "#{jvm.name} was started #{starts.size} times" unless starts.one?
          end
        end
      end
    end

    def complain(run, what)
      @complaints << "run #{run.id} #{what}"
    end

    def database_of(run)
      ApplicationRecord.connection.select_value("SELECT 1 FROM pg_database WHERE datname = '#{run.run_database.name}'")
    end

    def processes_of(run)
      @stage.processes_in Rails.configuration.x.run_root.join("run_#{run.id}")
    end

    def await(what)
      deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + PATIENCE
      until ApplicationRecord.uncached { yield }
        raise "waited #{PATIENCE} s for #{what}" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
        sleep 0.05
      end
    end
end
