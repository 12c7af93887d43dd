# Runs the log analyzer to fit its closed model to the zip of the run and to predict, and gnuplot to draw the curves:
# over clients, and the waiting times over utilisation if clients did not wait for responses.
module Prediction::Performable
  extend ActiveSupport::Concern
  include Report::Illustrated

  EXACT_STEPS = 1e8 # clients squared, for each station: the log analyzer takes seconds for it
  POINTS = 60 # of a curve
  UTILISATIONS = (2..38).map { |n| n.fdiv 40 }
  NOT_TOLD = 2 # exit code: the run does not tell how long requests wait for a worker

  private
    def work
      check_cancellation
      Dir.mktmpdir("testmaster-") do |name|
        folder = Pathname(name)
        show_step "Fitting the model to the logs"
        test_run.outcome.open_archive do |zip|
          ask zip, folder
          sweep_waiting zip, folder
        end
        draw_pictures folder.join("plots")
        keep_with_pictures folder.join("plots"), answer: JSON.parse(folder.join("answer.json").read)
      end
    end

    # The last number of clients is the answer in the JSON. The curve also covers the measured number.
    def ask(zip, folder)
      run_program model(zip, load_up_to(most_clients), "-fmt json -out #{folder}/answer.json")
      return if rate

      most = [ most_clients, test_run.definition.clients_in_all ].max
      run_program model(zip, load_up_to(most), "-fmt gnuplot -out #{folder}/plots")
    end

    def sweep_waiting(zip, folder)
      run_program analyzer_command("model waiting -d #{zip.shellescape} --utilisation #{UTILISATIONS.join(",")} " \
        "#{"--servers #{workers} " if workers}-percentiles 90,99,99.9 -fmt gnuplot -out #{folder}/plots"),
        accepting: [ 0, NOT_TOLD ]
    end

    def model(zip, load, output)
      changes = { "brokers" => brokers, "workers" => workers, "connections" => connections,
        "database-faster" => (database_faster if other_database?) }.compact
      options = changes.map { |name, value| "--#{name} #{value}" }
      analyzer_command [ "model closed -d #{zip.shellescape}", load, *options, ("--approximate" if approximate?),
        output ].compact.join(" ")
    end

    def most_clients
      clients || test_run.definition.clients_in_all
    end

    def load_up_to(most)
      rate ? "--rate #{rate}/s" : "-clients #{spread_up_to(most).join(",")}"
    end

    # Returns the first numbers one by one, then at growing steps.
    def spread_up_to(most)
      (0..POINTS).map { |n| (most**(n.fdiv(POINTS))).round }.push(most).uniq
    end

    def approximate?
      rate.nil? && most_clients**2 * ((brokers || test_run.definition.brokers_in_all) + 2) > EXACT_STEPS
    end
end
