module Testmaster
  # Waits for the results of a worker, with a time limit if no worker is running.
  module Waiting
    ENDED = %w[ finished failed cancelled ]

    private
      # Returns the run once it has ended and is analysed.
      def follow(id)
        seen = nil
        until_over do
          test_run = seen ? patiently { find(id) } : find(id)
          refuse_draft test_run

          line = Report.new(test_run).progress
          say line unless @options[:json] || line == seen
          seen = line
          [ test_run, ENDED.include?(test_run["state"]) && (test_run["examined"] || !test_run["archive"]) ]
        end
      end

      def follow_experiment(id)
        seen = nil
        until_over do
          experiment = patiently { api.get("/experiments/#{id}.json") }
          report = Experiment.new(experiment)
          report.news(seen).each { |line| say line } unless @options[:json]
          [ seen = experiment, report.over? ]
        end
      end

      # Asks until the block returns that the work is over: first once a second, and less often the longer it takes, as
      # each answer takes processor time beside the load.
      def until_over
        began, idle_since = now, nil
        loop do
          found, over = yield
          break found if over

          idle_since = found["worker"] == false ? idle_since || now : nil
          if idle_since && now - idle_since > @patience
            raise Api::Error,
              "No worker has run for #{@patience} s, so #{found["id"]} does not advance: start one with bin/worker"
          end
          sleep ((now - began) / 20).clamp(1, 5)
        end
      end

      def refuse_draft(test_run)
        if test_run["state"] == "draft"
          raise Api::Error, "#{test_run["id"]} is a draft: launch it first"
        end
      end

      def until_answered(sent)
        deadline = now + @patience
        while (silent = sent["replies"].select { |reply| reply["state"] == "pending" }).any?
          if now > deadline
            names = silent.map { |reply| reply["jvm"] }.join(", ")
            raise Api::Error,
              "#{names} did not respond within #{@patience} s: is a worker running? bin/worker starts one"
          end
          sleep 0.3
          sent = yield
        end
        sent
      end

      # Once it has begun, its time depends on the size of the logs; the Testmaster limits it.
      def until_made(made, what = "analysis")
        deadline = now + @patience
        while %w[ pending processing ].include?(made["state"])
          if made["state"] == "pending" && now > deadline
            raise Api::Error,
              "The #{what} did not start within #{@patience} s: is a worker running? bin/worker starts one"
          end
          sleep 0.3
          made = yield
        end
        made
      end

      # The run continues while its Testmaster is unreachable, so a failed request is repeated.
      def patiently
        deadline = nil
        begin
          yield
        rescue Api::Unreachable => error
          @errors.puts "bin/testmaster: #{error.message}. Asking again for #{@patience} s" unless deadline
          deadline ||= now + @patience
          raise if now > deadline
          sleep 1
          retry
        end
      end

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
  end
end
