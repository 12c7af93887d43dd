# The address of an MLMQ database that belongs to no run, for the console.
class MessageDatabase < ApplicationRecord
  encrypts :address

  has_many :queue_changes, dependent: :delete_all

  normalizes :name, with: ->(text) { text.strip }
  normalizes :address, with: ->(text) { text.strip }

  validates :name, presence: true, uniqueness: true, length: { maximum: 60 }
  validates :address, presence: true
  validate :address_can_be_understood, if: -> { address.present? }
  validate :tables_can_be_read, if: -> { errors.empty? && will_save_change_to_address? }

  scope :alphabetically, -> { order :name }

  # A form that sends back the address as shown keeps it, with its password.
  def shown_address=(text)
    self.address = text.to_s unless text == shown_address
  end

  def shown_address
    place.without_password if address.present?
  end

  def console
    @console ||= Console.new(self, self, System.default)
  end

  def description
    "#{place.name} on #{place.host}:#{place.port}"
  end

  def ask(questions, **options)
    DatabaseServer::Remote.new(place).ask(place.name, questions, **options)
  end

  def as_json(*)
    slice(:id, :name, :created_at).merge(address: shown_address)
  end

  # The result does not contain the password.
  def inspect
    "#<#{self.class.name} #{id} #{name}>"
  end

  private
    def place
      Address::Database.new(address)
    end

    def address_can_be_understood
      complaint = place.complaint || ("must name the database after the host" unless place.name)
      errors.add :address, complaint.sub("embedded, machine, or a URL", "a URL") if complaint
    end

    def tables_can_be_read
      gap = console.look.gap
      errors.add :address, "cannot be used: #{Address.redact(gap)}" if gap
    end
end
