# Compares a run with its baseline, and suggests other runs for a comparison.
module Outcome::Compared
  CANDIDATES = 100 # latest runs among which those of the same definition are searched
  LIKENESS = [ "same definition", "same name", "same tag", nil ]

  delegate :own_comparison, :name, :tags, :creator, :baselines, to: :run

  def baseline
    Baseline.of(run)
  end

  # Creates the comparison with the baseline once; the job of the comparison performs it.
  def compare_with_baseline
    return if own_comparison || !figures["exact"]

    if mark = baseline
      comparison = Comparison.create(test_run: run, creator: creator, sides: [ mark.test_run_id, id ])
      comparison.perform_later if comparison.persisted?
    end
  end

  # Returns JSON: the most significant change, or that all changes are within noise.
  def change_since_baseline
    return unless own_comparison

    change = own_comparison.main_change&.slice("figure", "percent", "verdict") if own_comparison.completed?
    { "comparison" => own_comparison.id, "state" => own_comparison.state,
      "baseline" => own_comparison.entries.first&.number,
      **(change || { "verdict" => verdict_without_change }) }
  end

  # Returns the [ [ kind, value ], … ] of which it can become the baseline and is not yet.
  def markable_as
    [ [ "name", name ], *tags.map { |tag| [ "tag", tag ] } ] - baselines.map { |mark| [ mark.kind, mark.value ] }
  end

  # Returns [ [ run, reason why it is suggested, or nil ], … ].
  def runs_to_compare_with(words = nil)
    runs = TestRun.comparable.where.not(id: id).latest.limit(CANDIDATES).preloaded
    runs = runs.search(words.first(200)) if words.present?
    runs.map { |other| [ other, likeness_to(other) ] }.sort_by { |other, why| [ LIKENESS.index(why), -other.id ] }
  end

  private
    def verdict_without_change
      own_comparison.changed? ? "less than #{Comparison::WORTH_TELLING} %" : "within noise" if own_comparison.completed?
    end

    def likeness_to(other)
      case
      when Comparison::Differences.core(run) == Comparison::Differences.core(other) then "same definition"
      when name == other.name     then "same name"
      when (tags & other.tags).any? then "same tag"
      end
    end
end
