# A run may be a side of comparisons, be compared with its baseline, and be a baseline itself.
module TestRun::Compared
  extend ActiveSupport::Concern

  included do
    has_many :comparison_entries, class_name: "Comparison::Entry", dependent: :nullify
    has_one :own_comparison, class_name: "Comparison", dependent: :destroy # with its baseline
    has_many :baselines, -> { order :kind, :value }, dependent: :destroy

    scope :comparable, -> { where(state: TestRun::Summarized::ENDED).joins(:archive_attachment) }
    scope :latest, -> { reorder id: :desc }
  end
end
