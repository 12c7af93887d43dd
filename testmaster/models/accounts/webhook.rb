# An address to which an account's notifications are sent when one of its runs ends.
class Webhook < ApplicationRecord
  SHORTEST_SECRET = 16 # characters

  belongs_to :user
  has_many :deliveries, class_name: "Webhook::Delivery", dependent: :delete_all

  encrypts :secret

  normalizes :url, with: ->(url) { url.strip }

  attr_reader :made_secret

  before_validation :make_secret, on: :create, if: -> { secret.blank? }

  validates :url, presence: true, length: { maximum: 500 }
  validates :secret, length: { in: SHORTEST_SECRET..200, message: "must have from 16 to 200 characters" }
  validate :destination_makes_sense, if: -> { url.present? && errors[:url].empty? }

  # Each run is reported once.
  def report(test_run)
    tell Webhook::Message.new(test_run).to_h, test_run: test_run
  rescue ActiveRecord::RecordNotUnique
    nil
  end

  # Reports why an experiment has paused itself.
  def report_pause(experiment)
    tell({ "event" => "experiment.paused", "experiment" => { **experiment.slice(:id, :name, :state),
      "reason" => experiment.error, "path" => "/experiments/#{experiment.id}" } })
  end

  # Reports that machines may be orphaned, and why.
  def report_unswept(provider)
    tell({ "event" => "sweep.failing", "provider" => { "name" => provider.name,
      "since" => provider.sweep_failing_since, "reason" => provider.sweep_error, "path" => "/machines" } })
  end

  # Sends a test message.
  def test
    tell({ "event" => "test", "sent_by" => "Testmaster" })
  end

  def latest_deliveries
    deliveries.order(id: :desc).limit(20)
  end

  private
    def tell(message, **about)
      made = transaction { deliveries.create!(body: message.to_json, next_attempt_at: Time.current, **about) }
      made.tap do |delivery|
        deliveries.where(id: ..(delivery.id - Delivery::KEPT)).where.not(state: "pending").delete_all
        delivery.deliver_later
      end
    end

    def make_secret
      self.secret = @made_secret = SecureRandom.base58(40)
    end

    def destination_makes_sense
      complaint = Webhook::Destination.new(url).complaint
      errors.add :url, complaint if complaint
    end
end
