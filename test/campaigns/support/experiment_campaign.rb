require_relative "stage"

# Runs small experiments with its own worker, sends random requests as a user would, and sometimes kills the worker.
# Complaints are: a hanging experiment, a run that exists or is active twice, a launch after a cancellation, a response
# of 500, and anything left behind.
class ExperimentCampaign
  AT_ONCE = 2 # experiments
  PATIENCE = 240 # seconds without a change until an experiment hangs
  DEFINITION = {
    "name" => "Steered at random", "duration" => "2s",
    "brokers" => [ { "scenario" => "Broker", "settings" => { "storage" => "memory" } } ],
    "clients" => [ { "scenario" => "OneWayClient", "clients" => 2, "settings" => { "rate" => "50/s" } } ]
  }
  KINDS = {
    "points" => { "factors" => [ { "name" => "clients", "path" => "clients.0.clients", "levels" => [ 2, 3 ] } ],
      "repetitions" => 1, "again" => 1 },
    "search by runs" => { "find" => { "rate" => "20/s..40/s", "until" => [ "errors = 0" ], "within" => "50 %",
      "by" => "runs" }, "repetitions" => 1, "again" => 1 },
    "search by steps" => { "find" => { "rate" => "20/s..40/s", "until" => [ "errors = 0" ], "within" => "50 %" },
      "repetitions" => 1, "again" => 0 }
  }
  # Each request has a weight: how often it is drawn.
  WISHES = { kill: 6, pause: 2, resume: 4, cancel: 1, repeat: 2, add_level: 2, skip: 1, unskip: 2, rerun: 2,
    cancel_run: 2, delete_run: 3, delete_experiment: 1, look: 4 }
  PAGES = [ "", ".json", ".csv" ]

  def initialize(kills:, seed:, revision:)
    @wanted, @seed, @random, @revision = kills, seed, Random.new(seed), revision
    @done, @complaints, @cancelled_at, @changes, @deleted = Hash.new(0), [], {}, {}, 0
  end

  # @return the exit code
  def run
    $stdout.sync = true
    puts "seed #{@seed}"
    Sidekiq.logger.level = Logger::FATAL # otherwise it prints each request
    Stage.open do |stage|
      @stage = stage
      Build.of(@revision).perform { }
      stage.start_worker
      sign_in
      send_requests
      await_ends
      judge
    end
    @done.sort.each { |wish, times| puts "#{times} x #{wish}" }
    puts "#{@done[:kill]} kills, #{@done.values.sum} wishes, #{@runs} runs of #{@experiments} experiments: " \
      "#{@complaints.size} complaints", @complaints
    @complaints.empty? ? 0 : 1
  end

  private
    def sign_in
      @session = ActionDispatch::Integration::Session.new(Rails.application)
      @session.host! "127.0.0.1"
      @session.get "/sign_in_link", params: { token: User.first.sign_in_token }
    end

    def send_requests
      while @done[:kill] < @wanted
        launch while Experiment.at_work.count < AT_ONCE
        sleep @random.rand**2 * 3
        wish = choose(WISHES.flat_map { |name, times| [ name ] * times })
        @done[wish] += 1
        send wish
        complain_of_parallel_runs
      end
    rescue SignalException => signal
      puts "ended by #{signal.message.presence || signal.signm}"
    end

    def launch
      kind, words = choose(KINDS.to_a)
      answer = ask :post, "/experiments.json", definition: DEFINITION.merge("revision" => @revision,
        "name" => "#{DEFINITION["name"]}, #{kind}", "experiment" => words), launch: true
      raise "#{kind} is not launched: #{answer}" unless @session.response.status == 201
    end

    def kill
      @stage.kill_worker
      @stage.start_worker
    end

    def pause  = with(Experiment.at_work) { |it| ask :post, "#{path_of it}/pause.json" }
    def resume = with(Experiment.paused) { |it| resuming(it) { ask :delete, "#{path_of it}/pause.json" } }
    def repeat = with(extendable) { |it| resuming(it) { ask :post, "#{path_of it}/repetitions.json", more: 1 } }

    def cancel
      with(Experiment.at_work) do |it|
        ask :post, "#{path_of it}/cancellation.json"
        @cancelled_at[it.id] = Time.current
      end
    end

    def add_level
      with(extendable.where(design: "grid")) do |it|
        resuming(it) { ask :post, "#{path_of it}/levels.json", factor: "clients", levels: [ @random.rand(4..50) ] }
      end
    end

    def skip   = with_point { |it, point| ask :post, "#{path_of it}/points/#{point.number}/skip.json" }
    def unskip = steer(:delete, "skip")
    def rerun  = steer(:post, "rerun")

    def steer(method, what)
      with_point { |it, point| resuming(it) { ask method, "#{path_of it}/points/#{point.number}/#{what}.json" } }
    end

    def cancel_run
      with(TestRun.at_work) { |run| ask :post, "/test_runs/#{run.id}/cancellation.json" }
    end

    def delete_run
      with(TestRun.where.not(experiment_id: nil)) do |run|
        ask :delete, "/test_runs/#{run.id}.json"
        @deleted += 1 if @session.response.status == 204
      end
    end

    def delete_experiment
      with(Experiment) { |it| ask :delete, "#{path_of it}.json" }
    end

    # Pages must be readable in any state.
    def look
      with(Experiment) { |it| PAGES.each { |format| ask :get, "#{path_of it}#{format}" } }
      with(TestRun) { |run| ask :get, "/test_runs/#{run.id}" }
      ask :get, "/experiments"
    end

    # Limits the repetitions, so that the campaign ends.
    def extendable
      Experiment.where.not(state: "draft").where(repetitions: ..2)
    end

    def with_point
      with(Experiment.where(design: "grid")) do |it|
        yield it, choose(it.points.to_a) if it.points.sum(&:extra) < 3
      end
    end

    def with(some)
      record = choose(some.order(:id).last(AT_ONCE * 2))
      yield record if record
    end

    def choose(list)
      list[@random.rand(list.size)] if list.any?
    end

    # After this, the experiment may launch runs again.
    def resuming(experiment)
      yield
      judge_cancellation experiment if @cancelled_at.key?(experiment.id) && @session.response.status == 202
    end

    def path_of(experiment)
      "/experiments/#{experiment.id}"
    end

    # Conflicts, refusals and "not found" after a deletion are valid responses.
    def ask(method, path, **params)
      if method == :get
        @session.get path
      else
        @session.public_send method, path, params: params, as: :json
      end
      complain "#{method} #{path} was answered with #{@session.response.status}" if @session.response.status >= 500
      @session.response.body.truncate(300)
    rescue StandardError => error # raised as in development, so that the place is known
      complain "#{method} #{path} #{params}: #{error.class}: #{error.message.lines.first}, " \
        "#{error.backtrace.grep(/testmaster/).first}"
    end

    # An experiment has one active run. The next may be prepared while that one is collected.
    def complain_of_parallel_runs
      TestRun.at_work.where.not(state: "collecting").where.not(experiment_id: nil).group(:experiment_id).count
        .each { |id, count| complain "experiment #{id} has #{count} runs at work" if count > 1 }
    end

    def await_ends
      Experiment.paused.each { |it| complain "experiment #{it.id} paused by itself: #{it.error}" if it.error? }
      changed, seen = now, nil
      until Experiment.at_work.none? && TestRun.at_work.none?
        Experiment.paused.where(error: nil).each { |it| resuming(it) { ask :delete, "#{path_of it}/pause.json" } }
        changed, seen = now, signs_of_life if signs_of_life != seen
        break if now - changed > PATIENCE
        sleep 0.5
      end
      (Experiment.at_work + TestRun.at_work).each do |it|
        complain "#{it.class.name} #{it.id} hangs: #{it.state}, #{it.error}, worked on #{it.worked_on_at}"
      end
    end

    # Any change of these values is a sign of life.
    def signs_of_life
      ApplicationRecord.uncached { [ TestRun.pluck(:id, :state, :figures).hash, Experiment.pluck(:id, :state).hash ] }
    end

    def judge
      @runs, @experiments = TestRun.where.not(experiment_id: nil).count + @deleted, Experiment.count
      Experiment.find_each do |it|
        judge_cancellation it if it.cancelled?
        judge_runs it
        complain "experiment #{it.id} failed: #{it.error}" if it.failed?
      end
      TestRun.find_each { |run| judge_run run }
    end

    # After a resumption, the worker may launch a run before we check.
    def judge_cancellation(experiment)
      at = @cancelled_at.delete(experiment.id) or return
      taken_up = experiment.reload.resumed_at
      late = experiment.test_runs.where(launched_at: taken_up > at ? at...taken_up : at..)
      complain "experiment #{experiment.id} launched runs #{late.ids} after it was cancelled" if late.any?
    end

    # An accepted run is repeated only on request.
    def judge_runs(experiment)
      twins = experiment.reload.test_runs.group_by { |run| [ run.point_id, run.repetition, run.attempt ] }
        .values.select(&:many?)
      twins.each { |runs| complain "runs #{runs.map(&:id)} of experiment #{experiment.id} are one and the same" }
      experiment.test_runs.select { |run| run.point_id && run.outcome.part_in_experiment == "accepted" }
        .group_by { |run| [ run.point_id, run.repetition ] }.values.select(&:many?)
        .each { |runs| complain "runs #{runs.map(&:id)} of experiment #{experiment.id} repeat what was accepted" }
    end

    def judge_run(run)
      complain "run #{run.id} failed: #{run.error}" if run.failed?
      complain "run #{run.id} has a machine left" if run.machines.any? { |machine| !machine.released? }
      folder = Rails.configuration.x.run_root.join("run_#{run.id}")
      complain "run #{run.id} left its folder" if folder.exist?
      complain "run #{run.id} left processes" if @stage.processes_in(folder).any?
      judge_archive run if run.archive.attached?
    end

    # Each client must be started once.
    def judge_archive(run)
      run.archive.open do |file|
        Zip::File.open(file.path) do |zip|
          run.jvms.client.each do |jvm|
            result = zip.find_entry("logs/local/#{jvm.name}/command.txt.result")&.get_input_stream&.read.to_s
            starts = result.lines.grep(/;start \d+;OK/).size
            complain "#{jvm.name} of run #{run.id} was started #{starts} times" if starts > 1
          end
        end
      end
    end

    def complain(what)
      puts "  #{what}"
      @complaints << what
      nil
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
