# A family of test runs with a common definition, factors that are varied, and repetitions of each point.
class Experiment < ApplicationRecord
  include Lockable
  include Advanced, Definable, Designed, Evaluated, Guarded, Live, Planned, Predicted, Represented, Scheduled,
    Stepped

  belongs_to :creator, class_name: "User", default: -> { Current.user || User.order(:id).first }
  belongs_to :build, optional: true

  has_many :factors, -> { order :position }, dependent: :destroy, autosave: true,
    inverse_of: :experiment
  has_many :points, -> { order :number }, dependent: :destroy, autosave: true, inverse_of: :experiment
  has_many :test_runs, -> { order :id }, dependent: :nullify, inverse_of: :experiment

  serialize :base_definition, type: Hash, coder: JSON
  encrypts :base_definition # a database address in it may have a password

  enum :state, %w[ draft running paused finished failed cancelled ].index_by(&:itself)

  before_destroy :refuse_while_at_work, prepend: true

  scope :at_work, -> { where state: %w[ running paused ] }
  scope :reverse_chronologically, -> { order created_at: :desc, id: :desc }

  def at_work?
    running? || paused?
  end

  def ended?
    finished? || failed? || cancelled?
  end

  def cancelling?
    cancelled_at? && at_work?
  end

  # Returns a text such as "2^4 design, 3 repetitions, in random order".
  def summary
    order = ordering == "random" ? "in random order" : "in the order listed"
    [ design_in_words, repetitions_in_words, *(order unless find?) ].join(", ")
  end

  private
    def refuse_while_at_work
      if test_runs.at_work.any? || running?
        errors.add :base, "is active: cancel it first"
        throw :abort
      end
    end

    def repetitions_in_words
      tightness? ? "repeated until #{tightness}, at most #{at_most} times" :
        "#{repetitions} #{"repetition".pluralize(repetitions)}"
    end
end
