# The jar of one revision of MLMQ, made once and kept.
class Build < ApplicationRecord
  has_many :test_runs, dependent: :nullify

  enum :state, %w[ pending processing completed failed ].index_by(&:itself)

  validates :commit_sha, :revision, presence: true
end
