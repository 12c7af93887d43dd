require "csv"

# The log analyzer's evaluation of all runs together: effects, residuals, the best point, and pictures. It is created
# again as runs are added.
class Experiment::Evaluation < ApplicationRecord
  include Report::Illustrated

  self.table_name = "experiment_evaluations"

  belongs_to :experiment, inverse_of: :evaluation

  after_update_commit -> { experiment.refresh_pages }, if: :saved_change_to_state?

  def self.request_for(experiment, response: nil, drawn: true)
    evaluation = experiment.evaluation || experiment.create_evaluation!(drawn: drawn)
    evaluation.with_lock do
      pictures = drawn || (evaluation.drawn? && !evaluation.ended?) # somebody waits for these pictures
      evaluation.update! state: "pending", attempts: 0, step: nil, cancelled_at: nil, drawn: pictures,
        response: response || experiment.response, updated_at: Time.current
    end
    evaluation.perform_later
  end

  private
    def work
      table = experiment.reload.table
      accepted = table.count { |row| row[3] == "accepted" }
      return update!(runs: 0, results: {}) if accepted.zero?

      Dir.mktmpdir("testmaster-") do |name|
        folder = Pathname(name)
        folder.join("table.csv").write table.map(&:to_csv).join
        folder.join("design.json").write experiment.for_analyzer.to_json
        show_step "Computes"
        run_program command("json", folder.join("results.json"), folder)
        draw_all folder if drawn?
        keep folder, accepted
      end
    end

    def command(format, out, folder)
      analyzer_command "experiment --table #{folder}/table.csv --design #{folder}/design.json " \
        "-response #{response} -fmt #{format} -out #{out}"
    end

    def draw_all(folder)
      run_program command("gnuplot", folder.join("plots"), folder)
      draw_pictures folder.join("plots")
    end

    def keep(folder, accepted)
      found = { results: JSON.parse(folder.join("results.json").read), runs: accepted }
      drawn? ? keep_with_pictures(folder.join("plots"), **found) : update!(found)
    end
end
