class Machine < ApplicationRecord
  ROLES = %w[ broker client database all ]

  include SideBySide
  include Calibratable, Charged, Collectable, Commandable, Deployable, Glanceable, Knowable, Logged, Priced, Scripted

  belongs_to :test_run, optional: true # nil once the run is deleted; the provider may still have the machine
  belongs_to :provider
  has_many :jvms, -> { order :role, :position }, dependent: :destroy, inverse_of: :machine
  has_many :events, dependent: :nullify
  has_one :calibration, class_name: "Machine::Calibration", dependent: :nullify

  enum :state, %w[ pending provisioning ready kept releasing released lost ].index_by(&:itself)

  attr_accessor :tagged_run # the run of a machine that only its cloud knows

  validates :name, presence: true
  validates :role, inclusion: { in: ROLES }

  scope :held, -> { where.not(state: %w[ pending released ]) }

  def shell
    @shell ||= provider.shell(self).tap { |shell| shell.machine = self }
  end

  # Returns a text such as "brokers_0_0 (i-0123)".
  def label
    [ name, ("(#{reference})" if reference? && reference != name && !provider.one_machine?) ].compact.join(" ")
  end

  # Returns the address at which other machines of the run reach this one.
  def address
    private_address || host
  end

  def as_json(*)
    slice(:id, :name, :role, :state, :host, :reference, :instance_type, :test_run_id, :created_at,
      :cost).merge(provider: provider.name)
  end

  # Releases the machine. Further calls do nothing.
  def release
    failure = provider.release_all([ self ])[self]
    raise failure if failure
  end

  # Marks the machine before any part of it is released, so that no process relies on deleted files. Returns
  # false if another run has taken it over, which then releases it.
  def begin_release
    save! if new_record?
    with_lock { update! state: "releasing" unless taken_over? }
    shell if releasing? && reference?
    releasing?
  end

  def end_release
    update! state: "released", released_at: Time.current
  end

  # Returns the start of its rental, which includes the earlier runs that used it.
  def rented_at
    super || provisioned_at
  end

  # Returns the run for which it was rented, whose keys and groups grant access.
  def rented_for
    super || test_run_id
  end

  def close
    @shell&.close
    @shell = nil
  end

  private
    # Only a rented machine moves from one run to the next; an existing machine serves all of them.
    def taken_over?
      provider.rented? && reference? &&
        self.class.where(provider: provider, reference: reference).where("id > ?", id).exists?
    end
end
