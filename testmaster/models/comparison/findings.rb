# The results of a comparison, stored with it so that pages, reports and programs read the same.
class Comparison::Findings
  # rows come from the log analyzer, the worst first. cases are the results of the limits.
  def initialize(comparison, rows, cases)
    @sides, @rows, @cases = comparison.sides, rows, cases
  end

  def to_h
    differences = Comparison::Differences.new(@sides)
    { "runs" => @sides.to_h { |side| [ side.letter, side.test_runs.map { |run| describe run } ] },
      "differs" => differences.rows, "same" => differences.same,
      "warnings" => Comparison::Warnings.new(@sides, @rows).to_a + untold, "figures" => figures, "limits" => @cases }
  end

  private
    def describe(run)
      { "id" => run.id, "name" => run.name, "verdict" => run.verdict.name, "commit" => run.build&.commit_sha,
        "launched_at" => run.launched_at, "seconds" => run.figures["seconds"],
        "from" => run.outcome.seconds_covered&.begin, "to" => run.outcome.seconds_covered&.end&.round(1) }
    end

    # Returns the limits that could not be checked.
    def untold
      @cases.filter_map { |limit| limit["untold"] }
    end

    # The worst change of a figure determines its position.
    def figures
      @rows.group_by { |row| row["figure"] }.map do |figure, rows|
        baseline = { "value" => rows.first["baseline"], "low" => rows.first["baseline_low"],
          "high" => rows.first["baseline_high"], **{ "at_least" => rows.first["baseline_at_least"] }.compact }
        others = rows.to_h { |row| [ row["run"], change(row) ] }
        { "figure" => figure, "unit" => rows.first["unit"],
          "sides" => { @sides.first.letter => baseline, **others.sort.to_h } }
      end
    end

    def change(row)
      { "value" => row["value"], "low" => row["value_low"], "high" => row["value_high"],
        **{ "at_least" => row["value_at_least"], "baseline_at_least" => row["baseline_at_least"] }.compact,
        **row.slice("difference", "percent", "percent_low", "percent_high", "percent_seen", "reason", "verdict"),
        "difference_low" => row["low"], "difference_high" => row["high"] }
    end
end
