class TestRun < ApplicationRecord
  include Lockable
  include Abortable, Annotated, Cancellable, Compared, Concluded, Databased, Definable, Eventful, Experimented, Limited,
    Live, Phased, Placed, Predicted, Profiled, Queueable, Represented, Resumable, Revised, Searchable, Sortable,
    Spooled, Summarized, Thinned, UnderTest

  belongs_to :creator, class_name: "User", default: -> { Current.user || User.order(:id).first }
  belongs_to :provider, optional: true, default: -> { Provider::Local.default unless @provider_refused }
  belongs_to :build, optional: true

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

  enum :state, [ "draft", *Phase::NAMES, "finished", "failed", "cancelled" ].index_by(&:itself)

  before_destroy :refuse_while_in_use, prepend: true
  validates :provider, presence: { message: "must be chosen" }

  scope :at_work, -> { where state: Phase::NAMES }
  scope :reverse_chronologically, -> { order created_at: :desc, id: :desc }
  scope :preloaded, -> {
    preload :provider, :machines, :archive_attachment, :baselines, own_comparison: :entries
  }

  # A definition that names no provider runs on this machine, but one that names a missing provider, or a form in which
  # none is chosen, does not.
  def provider_id=(id)
    @provider_refused = id.blank?
    super
  end

  private
    def refuse_while_in_use
      if reason = reason_to_keep
        errors.add :base, reason
        throw :abort
      end
    end

    # An experiment chooses its next run by the existing ones.
    def reason_to_keep
      case
      when at_work?           then "is active: cancel it first"
      when machines.held.any? then "still has machines: delete it in a few minutes, when they are released"
      when experiment&.at_work? then "belongs to experiment #{experiment_id}, which is active: cancel that first"
      end
    end
end
