# One message. It is sent until the receiver accepts it, with growing pauses and a limited number of attempts.
class Webhook::Delivery < ApplicationRecord
  include Lockable

  PAUSES = [ 10.seconds, 1.minute, 5.minutes, 30.minutes, 2.hours, 6.hours ]
  KEPT = 200 # across all webhooks

  self.table_name = "webhook_deliveries"

  belongs_to :webhook
  belongs_to :test_run, optional: true

  enum :state, %w[ pending delivered given_up ].index_by(&:itself)

  # The job of such a delivery was lost with Redis.
  scope :overdue, -> { pending.where(next_attempt_at: ..1.minute.ago) }

  def deliver_later
    Webhook::DeliverJob.set(wait_until: next_attempt_at).perform_later self
  end

  def deliver
    holding_lock do
      reload
      attempt if pending? && next_attempt_at <= 1.second.from_now
    end
  end

  # Returns "t=<seconds since 1970>,v1=<HMAC-SHA256 of the seconds, a dot and the body>".
  def signature(time)
    "t=#{time.to_i},v1=#{OpenSSL::HMAC.hexdigest("SHA256", webhook.secret, "#{time.to_i}.#{body}")}"
  end

  def event
    JSON.parse(body)["event"]
  end

  # Describes the subject in words if there is no run to name.
  def about
    message = JSON.parse(body)
    case message["event"]
    when "test"              then "Test"
    when "experiment.paused" then "Experiment #{message.dig("experiment", "id")}"
    when "sweep.failing"     then "Sweep of #{message.dig("provider", "name")}"
    else "A run deleted since"
    end
  end

  private
    def attempt
      return update!(state: "given_up") if attempts > PAUSES.size # the last one killed the worker

      update! attempts: attempts + 1, next_attempt_at: (PAUSES[attempts] || PAUSES.last).from_now
      answer = Webhook::Destination.new(webhook.url).post(body, "User-Agent" => "Testmaster",
        "Testmaster-Delivery" => id.to_s, "Testmaster-Signature" => signature(Time.current))
      conclude answer.status.in?(200..299), status: answer.status, answer: answer.text.strip.truncate(200).presence
    rescue Webhook::Destination::Refused => refusal
      conclude false, status: nil, answer: refusal.message
    end

    def conclude(taken, **outcome)
      state = taken ? "delivered" : attempts > PAUSES.size ? "given_up" : "pending"
      update! state: state, next_attempt_at: (next_attempt_at if state == "pending"), **outcome
      deliver_later if pending?
    end
end
