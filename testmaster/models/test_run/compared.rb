# Beside which other runs it may be set.
module TestRun::Compared
  extend ActiveSupport::Concern

  CANDIDATES = 100 # of the latest, among which those of the same definition are looked for

  included do
    has_many :comparison_entries, class_name: "Comparison::Entry", dependent: :nullify
    has_one :own_comparison, class_name: "Comparison", dependent: :destroy # with its baseline

    scope :comparable, -> { where(state: TestRun::Summarized::ENDED).joins(:archive_attachment) }
    scope :latest, -> { reorder id: :desc }
  end

  class_methods do
    # [ [ run, … ], … ]: runs of the same definition and the same build are repetitions of one side
    def as_repetitions(runs)
      runs.group_by { |run| [ Comparison::Differences.core(run), run.build_id ] }.values
    end
  end

  # [ [ run, why it is among the first, or nil ], … ]
  def runs_to_compare_with(words = nil)
    runs = self.class.comparable.where.not(id: id).latest.limit(CANDIDATES).preloaded
    runs = runs.search(words.first(200)) if words.present?
    runs.map { |run| [ run, likeness_to(run) ] }.sort_by { |run, why| [ LIKENESS.index(why), -run.id ] }
  end

  LIKENESS = [ "same definition", "same name", "same tag", nil ]

  private
    def likeness_to(other)
      case
      when Comparison::Differences.core(self) == Comparison::Differences.core(other) then "same definition"
      when name == other.name     then "same name"
      when (tags & other.tags).any? then "same tag"
      end
    end
end
