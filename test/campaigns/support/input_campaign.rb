require_relative "stage"
require_relative "../../support/input_fuzz"

# Sends every invalid value to every field of its own Testmaster, in one process and without a worker.
class InputCampaign
  def initialize(seed:, cases: nil)
    @seed, @wanted = seed, cases
  end

  # @return the exit code
  def run
    puts "seed #{@seed}"
    Sidekiq.logger.level = Logger::FATAL # otherwise it prints each request
    Stage.open do
      fuzz = InputFuzz.new(signed_in, user: User.first, test_run: run_at_work, random: Random.new(@seed))
      @done, @all, @told_at = 0, fuzz.cases.first(@wanted || fuzz.cases.size), now
      work_through fuzz
      sum_up fuzz
    end
  end

  private
    def work_through(fuzz)
      @all.each do |it|
        known = fuzz.complaints.size
        fuzz.try it
        @done += 1
        fuzz.complaints.drop(known).each { |complaint| puts "  #{complaint}" }
        tell fuzz
      end
    rescue SignalException => signal
      puts "ended by #{signal.message.presence || signal.signm}"
    end

    def tell(fuzz)
      if now - @told_at > 5
        puts "#{@done} of #{@all.size} inputs, #{fuzz.complaints.size} complaints"
        $stdout.flush
        @told_at = now
      end
    end

    def sum_up(fuzz)
      puts "answers: #{fuzz.answers.sort.map { |status, count| "#{count} x #{status}" }.join(", ")}"
      puts "#{@done} of #{@all.size} inputs, #{fuzz.complaints.size} complaints"
      fuzz.complaints.empty? && @done == @all.size ? 0 : 1
    end

    def signed_in
      Provider::Local.default
      User.first.update! email_address: "fuzz@example.org", password: InputFuzz::PASSWORD
      ActionDispatch::Integration::Session.new(Rails.application).tap do |session|
        session.host! "127.0.0.1"
        session.get "/sign_in_link", params: { token: User.first.sign_in_token }
      end
    end

    def run_at_work
      run = TestRun.from_definition(InputFuzz::DEFINITION)
      run.save!
      run.lay_out
      run.update_columns state: "running", launched_at: Time.current, load_starts_at: Time.current
      run
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
end
