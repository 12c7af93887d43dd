class TestRun < ApplicationRecord
  include Lockable
  include Abortable, Annotated, Cancellable, Compared, Concluded, Databased, DatabaseChoice, DatabaseSettings,
    Definable, Estimated, Eventful, Experimented, Layout, Limited, Live, Phased, Predicted, Priced, Profiled, Queueable,
    Reported, Represented, Resumable, Revised, Searchable, Sortable, Spooled, Summarized, Taggable, Thinned, Timed,
    UnderTest, Weighed

  belongs_to :creator, class_name: "User", default: -> { Current.user || User.order(:id).first }
  belongs_to :provider, default: -> { Provider::Local.default }
  belongs_to :build, optional: true

  has_many :broker_groups, -> { order :position, :id }, dependent: :destroy, inverse_of: :test_run
  has_many :client_groups, -> { order :position, :id }, dependent: :destroy, inverse_of: :test_run
  has_many :machines, -> { order :id }, dependent: :destroy, inverse_of: :test_run
  has_many :jvms, -> { order :role, :position }, through: :machines
  has_many :events, -> { order :id }, dependent: :delete_all
  has_many :commands, -> { order :id }, dependent: :destroy
  has_many :samples, -> { order :at }, dependent: :delete_all
  has_many :steps, -> { order :position, :last_second }, class_name: "TestRun::Step", dependent: :delete_all
  has_many :queue_changes, -> { order :id }, dependent: :delete_all
  has_many :readings, -> { order :length, :position }, class_name: "TestRun::Reading", dependent: :delete_all
  has_many :analyses, -> { order :id }, dependent: :destroy

  has_one_attached :archive

  accepts_nested_attributes_for :broker_groups, :client_groups, allow_destroy: true

  attribute :warmup, Duration.new
  attribute :duration, Duration.new
  attribute :cooldown, Duration.new
  attribute :timeout, Duration.new
  encrypts :database

  enum :state, [ "draft", *Phase::NAMES, "finished", "failed", "cancelled" ].index_by(&:itself)

  validates :duration, inclusion: { in: 1..(24 * 3600), message: "must be from 1s to 24h" }
  validates :warmup, :cooldown, inclusion: { in: 0..(24 * 3600), message: "must be from 0s to 24h" }
  validates :timeout, inclusion: { in: 10..(24 * 3600), message: "must be from 10s to 24h" }
  validates :revision, presence: true
  validates :keep_database, inclusion: { in: [ true, false ], message: "must be true or false" }
  validates :when_jvm_dies, inclusion: { in: %w[ fail go_on ], message: "must be fail or go_on" }
  validates :jit_compiler, inclusion: { in: %w[ c1 c2 ], message: "must be c1 or c2" }
  validates :broker_groups, presence: { message: "Add at least one broker group" }
  validates :client_groups, presence: { message: "Add at least one client group" }
  validate :something_left_to_measure

  before_destroy :refuse_while_in_use, prepend: true

  scope :at_work, -> { where state: Phase::NAMES }
  scope :reverse_chronologically, -> { order created_at: :desc, id: :desc }
  scope :preloaded, -> {
    preload :broker_groups, :client_groups, :provider, :machines, :archive_attachment, :baselines,
      own_comparison: :entries
  }

  # Broker groups first: positions of JVMs are counted, and shown, in this order.
  def groups
    [ *broker_groups, *client_groups ].reject(&:marked_for_destruction?)
  end

  private
    def refuse_while_in_use
      if reason = reason_to_keep
        errors.add :base, reason
        throw :abort
      end
    end

    # An experiment decides by the runs that it has what it makes next.
    def reason_to_keep
      case
      when at_work?           then "is at work: cancel it first"
      when machines.held.any? then "still has machines: they are given back within minutes, then it can be deleted"
      when experiment&.at_work? then "belongs to experiment #{experiment_id}, which is at work: cancel that first"
      end
    end

    def something_left_to_measure
      if [ duration, warmup, cooldown ].all? && warmup + cooldown >= duration
        errors.add :duration,
          "must be longer than warm-up and cool-down together (#{Duration.format(warmup + cooldown)})"
      end
    end
end
