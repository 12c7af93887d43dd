require "csv"

# Represents a comparison as JSON and CSV, and its limits as JUnit XML.
module Comparison::Represented
  WORTH_TELLING = 0.5 # per cent, in a list
  COLUMNS = %w[ value low high difference difference_low difference_high percent percent_low percent_high percent_seen
    reason verdict ]

  # summary: true is for lists.
  def as_json(options = nil)
    summary = { "id" => id, "title" => title, "state" => state, "step" => step, "error" => error,
      "cancelling" => !!cancelling?, "created_at" => created_at, "completed_at" => completed_at,
      "sides" => sides.map { |side| side_as_json(side) } }
    return summary.as_json if options&.dig(:summary)

    { **summary, "worker" => Worker.running?, "fail_if" => limits, **results,
      "limits" => results["limits"] || [] }.as_json
  end

  def to_csv
    CSV.generate do |csv|
      csv << [ "side", "runs", "figure", "unit", *COLUMNS ]
      results.fetch("figures", []).each do |figure|
        figure["sides"].each do |letter, values|
          runs = results["runs"][letter].map { |run| run["id"] }.join(" ")
          csv << [ letter, runs, *figure.values_at("figure", "unit"), *values.values_at(*COLUMNS) ]
        end
      end
    end
  end

  def broken_limits
    results.fetch("limits", []).select { |limit| limit["broken"] }
  end

  # Returns whether any change is larger than the noise.
  def changed?(letter = "B")
    figures_of_requests.any? { |figure| figure.dig("sides", letter, "verdict").in?(%w[ worse better ]) }
  end

  # Returns the most significant change of the requests: the worst one, or else the best one. Returns nil if all changes
  # are within noise or tiny.
  def main_change(letter = "B")
    changes = figures_of_requests.filter_map { |figure| figure["sides"][letter]&.merge("figure" => figure["figure"]) }
    changes.reject! { |change| change["percent"] && change["percent"].abs < WORTH_TELLING }
    changes.find { |change| change["verdict"] == "worse" } ||
      changes.select { |change| change["verdict"] == "better" }.max_by { |change| change["percent"].to_f.abs }
  end

  # Returns the most significant change in per cent: negative for an improvement, 0 if all is within noise.
  def worsening
    change = main_change or return 0
    change["verdict"] == "worse" ? change["percent"].to_f.abs : -change["percent"].to_f.abs
  end

  # Computes the weight of a comparison that a migration could not compute.
  def weigh
    update_columns worse_by: worsening
  end

  private
    def figures_of_requests
      results.fetch("figures", []).reject { |it| Figure[it["figure"]]&.cost? }
    end

    def side_as_json(side)
      { "letter" => side.letter, "name" => side.name, "runs" => side.entries.map(&:number),
        "deleted" => side.entries.reject(&:test_run_id).map(&:number) }
    end
end
