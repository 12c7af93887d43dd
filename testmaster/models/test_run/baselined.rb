# Marked as a baseline, or compared with one as soon as its figures are there.
module TestRun::Baselined
  extend ActiveSupport::Concern

  included { has_many :baselines, -> { order :kind, :value }, dependent: :destroy }

  def baseline
    Baseline.of(self)
  end

  # Once, by the job that any comparison has.
  def compare_with_baseline
    return if own_comparison || !figures["exact"]

    if mark = baseline
      comparison = Comparison.create(test_run: self, creator: creator, sides: [ mark.test_run_id, id ])
      comparison.perform_later if comparison.persisted?
    end
  end

  # As JSON: what changed most, or that all is within noise
  def change_since_baseline
    return unless own_comparison

    change = own_comparison.telling_change&.slice("figure", "percent", "verdict") if own_comparison.completed?
    { "comparison" => own_comparison.id, "state" => own_comparison.state,
      "baseline" => own_comparison.entries.first&.number,
      **(change || { "verdict" => verdict_without_change }) }
  end

  # [ [ kind, value ], … ] that it can be marked as the baseline of, and is not yet
  def markable_as
    [ [ "name", name ], *tags.map { |tag| [ "tag", tag ] } ] - baselines.map { |mark| [ mark.kind, mark.value ] }
  end

  private
    def verdict_without_change
      own_comparison.changed? ? "less than #{Comparison::WORTH_TELLING} %" : "within noise" if own_comparison.completed?
    end
end
