require "csv"

# What the log analyzer says of all runs together: effects, residuals, the best point; and its pictures. Made anew as
# runs are added.
class Experiment::Evaluation < ApplicationRecord
  include ByLogAnalyzer::Cancellable

  self.table_name = "experiment_evaluations"
  LARGEST_PICTURE = 20.megabytes

  belongs_to :experiment, inverse_of: :evaluation

  has_many_attached :pictures # SVG, each for light pages and for dark ones

  enum :state, %w[ pending processing completed failed cancelled ].index_by(&:itself)

  after_update_commit -> { experiment.refresh_pages }, if: :saved_change_to_state?

  scope :at_work, -> { where state: %w[ pending processing ] }

  def self.request_for(experiment, response: nil, drawn: true)
    evaluation = experiment.evaluation || experiment.create_evaluation!(drawn: drawn)
    evaluation.with_lock do
      pictures = drawn || (evaluation.drawn? && !evaluation.ended?) # those that somebody waits for are not given up
      evaluation.update! state: "pending", attempts: 0, step: nil, cancelled_at: nil, drawn: pictures,
        response: response || experiment.response, updated_at: Time.current
    end
    evaluation.perform_later
  end

  def picture(name, theme)
    pictures.find { |picture| picture.filename.to_s == "#{name}.#{theme}.svg" }
  end

  def picture_names
    pictures.map { |picture| picture.filename.to_s[/\A[^.]+/] }.uniq
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
      scripts = folder.glob("plots/*.gp").sort
      scripts.each_with_index do |script, n|
        show_step "Draws picture #{n + 1} of #{scripts.size}"
        %w[ dark light ].each do |theme|
          draw script, theme
          script.sub_ext(".svg").rename script.sub_ext(".#{theme}.svg")
        end
      end
    end

    def keep(folder, accepted)
      make_sure_of_lock
      files = folder.glob("plots/*.svg").reject { |path| path.size > LARGEST_PICTURE }.sort
      opened = files.map do |path|
        { io: path.open("rb"), filename: path.basename.to_s, content_type: "image/svg+xml", identify: false }
      end
      update! results: JSON.parse(folder.join("results.json").read), runs: accepted,
        **(drawn? ? { pictures: opened } : {})
    ensure
      opened&.each { |file| file[:io].close }
    end
end
