# Has the log analyzer fit its closed model to the zip of the run and answer, and gnuplot draw it over clients.
module Prediction::Performable
  extend ActiveSupport::Concern
  include ByLogAnalyzer::Cancellable

  EXACT_STEPS = 1e8 # clients squared, for each station: seconds of the log analyzer
  POINTS = 60 # of a curve

  private
    def work
      heed_cancellation
      Dir.mktmpdir("testmaster-") do |name|
        folder = Pathname(name)
        show_step "Fits the model to the logs"
        test_run.outcome.open_archive { |zip| ask zip, folder }
        draw_all folder.glob("plots/*.gp").sort
        keep folder
      end
    end

    # The last number of clients is the answer of the JSON; the pictures reach to what was measured, too.
    def ask(zip, folder)
      run_program model(zip, load_up_to(most_clients), "-fmt json -out #{folder}/answer.json")
      return if rate

      most = [ most_clients, test_run.clients_in_all ].max
      run_program model(zip, load_up_to(most), "-fmt gnuplot -out #{folder}/plots")
    end

    def model(zip, load, output)
      changes = { "brokers" => brokers, "workers" => workers, "connections" => connections,
        "database-faster" => (database_faster if other_database?) }.compact
      options = changes.map { |name, value| "--#{name} #{value}" }
      analyzer_command [ "model closed -d #{zip.shellescape}", load, *options, ("--approximate" if approximate?),
        output ].compact.join(" ")
    end

    def most_clients
      clients || test_run.clients_in_all
    end

    def load_up_to(most)
      rate ? "--rate #{rate}/s" : "-clients #{spread_up_to(most).join(",")}"
    end

    # Each of the first, then ever wider steps
    def spread_up_to(most)
      (0..POINTS).map { |n| (most**(n.fdiv(POINTS))).round }.push(most).uniq
    end

    def approximate?
      rate.nil? && most_clients**2 * ((brokers || test_run.brokers_in_all) + 2) > EXACT_STEPS
    end

    def draw_all(scripts)
      scripts.each_with_index do |script, n|
        show_step "Draws picture #{n + 1} of #{scripts.size}"
        %w[ dark light ].each do |theme|
          draw script, theme
          script.sub_ext(".svg").rename script.sub_ext(".#{theme}.svg")
        end
      end
    end

    def keep(folder)
      make_sure_of_lock
      opened = folder.glob("plots/*.svg").sort.map do |path|
        { io: path.open("rb"), filename: path.basename.to_s, content_type: "image/svg+xml", identify: false }
      end
      update! answer: JSON.parse(folder.join("answer.json").read), pictures: opened
    ensure
      opened&.each { |file| file[:io].close }
    end
end
