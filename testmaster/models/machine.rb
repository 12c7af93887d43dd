class Machine < ApplicationRecord
  ROLES = %w[ broker client database all ]

  include SideBySide
  include Charged, Collectable, Commandable, Deployable, Glanceable, Knowable, Logged, Priced, Scripted

  belongs_to :test_run, optional: true # gone once the run is deleted; the provider may still know the machine
  belongs_to :provider
  has_many :jvms, -> { order :role, :position }, dependent: :destroy, inverse_of: :machine
  has_many :events, dependent: :nullify

  enum :state, %w[ pending provisioning ready kept releasing released lost ].index_by(&:itself)

  attr_accessor :tagged_run # of one that we know by its cloud alone

  validates :name, presence: true
  validates :role, inclusion: { in: ROLES }

  scope :held, -> { where.not(state: %w[ pending released ]) }

  def shell
    @shell ||= provider.shell(self).tap { |shell| shell.machine = self }
  end

  # "brokers_0_0 (i-0123)"
  def label
    [ name, ("(#{reference})" if reference? && reference != name && !provider.one_machine?) ].compact.join(" ")
  end

  # Where the other machines of the run find this one.
  def address
    private_address || host
  end

  def as_json(*)
    slice(:id, :name, :role, :state, :host, :reference, :instance_type, :test_run_id, :created_at,
      :cost).merge(provider: provider.name)
  end

  # Gives the machine back. Asked again, nothing happens.
  def release
    failure = provider.give_back([ self ])[self]
    raise failure if failure
  end

  # Before anything of it is given up, so that nobody looks on it for what is already gone. False where another run has
  # taken it over, which then gives it back.
  def begin_release
    save! if new_record?
    with_lock { update! state: "releasing" unless taken_over? }
    shell if releasing? && reference?
    releasing?
  end

  def end_release
    update! state: "released", released_at: Time.current
  end

  # Since when it has been rented; runs that took it over count from there
  def rented_at
    super || provisioned_at
  end

  # The run that it was rented for, whose keys and groups let us in
  def rented_for
    super || test_run_id
  end

  def close
    @shell&.close
    @shell = nil
  end

  private
    # Only what is rented goes from one run to the next; one machine that is there serves all of them.
    def taken_over?
      provider.rented? && reference? &&
        self.class.where(provider: provider, reference: reference).where("id > ?", id).exists?
    end
end
