# A change of a queue by the console: it empties or deletes the queue, or requeues its dead letters. Each step is a
# short transaction, so that brokers do not wait. It can be stopped between two steps.
class QueueChange < ApplicationRecord
  KINDS = %w[ emptying deletion return ]
  PAUSE = 0.5 # seconds between attempts at a lock
  PATIENCE = 20 # successive steps without effect
  ATTEMPTS = 3 # all but the last were cut off

  include Lockable

  belongs_to :test_run, optional: true
  belongs_to :message_database, optional: true

  enum :state, %w[ pending working completed failed stopped ].index_by(&:itself)

  validates :kind, inclusion: { in: KINDS, message: "must be #{KINDS.to_sentence(last_word_connector: " or ")}" }
  validates :only_if_empty, inclusion: { in: [ true, false ], message: "must be true or false" }
  validate :queue_can_be_changed, on: :create, if: -> { errors.empty? }

  scope :abandoned, -> { where(state: %w[ pending working ]).where(updated_at: ...30.seconds.ago) }
  scope :reverse_chronologically, -> { order id: :desc }
  scope :shown, -> { reverse_chronologically.where("state IN ('pending', 'working') OR completed_at > ?", 1.hour.ago) }

  def owner
    test_run || message_database
  end

  def at_work?
    pending? || working?
  end

  def perform_later
    QueueChange::PerformJob.perform_later self
  end

  # One worker at a time performs it, and once, however often it is requested.
  def perform
    holding_lock do
      reload
      perform_now if at_work?
    end
  rescue ActiveRecord::RecordNotFound
    # The run or database was removed meanwhile, so nothing is left to do.
  end

  # Enqueues the job again if it was lost.
  def resume
    unless locked?
      touch
      perform_later
    end
  end

  # Completed steps are not undone.
  def stop
    update_columns cancelled_at: Time.current if at_work?
  end

  def as_json(*)
    slice(:id, :kind, :queue_id, :queue_name, :only_if_empty, :state, :expected, :done, :error, :who, :created_at,
      :completed_at)
  end

  private
    def perform_now
      update! state: "working", attempts: attempts + 1
      raise Failure, "It was interrupted #{ATTEMPTS} times: see the log of the worker." if attempts > ATTEMPTS

      until reload.cancelled_at
        count = patiently { step }
        update! done: done + count, updated_at: Time.current
        return finish("completed") if count.zero? || kind == "deletion"
      end
      finish "stopped"
    rescue Failure => failure
      finish "failed", failure.message
    end

    def step
      owner.console.change(owner.console.changes.public_send(kind, queue: queue_id, up_to: up_to,
        only_if_empty: only_if_empty))["done"]
    end

    # A step is retried if a lock is held, or if all connections are in use.
    def patiently
      attempts = 0
      begin
        yield
      rescue Failure => failure
        raise if (attempts += 1) >= PATIENCE || !failure.message.match?(/lock timeout|statement timeout|at this moment/)
        return 0 if reload.cancelled_at
        sleep PAUSE
        retry
      end
    end

    def finish(state, error = nil)
      update! state: state, error: error, completed_at: Time.current
      test_run&.record_event :queue_changed, "#{who}: #{in_words}", queue: queue_name
    end

    def in_words
      what = { "emptying" => "emptied #{queue_name}, #{done} messages are gone", "deletion" => "deleted #{queue_name}",
        "return" => "returned #{done} dead letters of #{queue_name}" }.fetch(kind)
      { "completed" => what, "stopped" => "stopped: #{what}", "failed" => "failed: #{what}; #{error}" }.fetch(state)
    end

    def queue_can_be_changed
      questions = owner.console.questions
      look = owner.console.look(queue: questions.queue(queue_id), figures: questions.last_id)
      queue = look[:queue].row
      if complaint = look.gap || look[:queue].gap || look[:figures].gap || complaint_about(queue)
        errors.add :base, complaint
      else
        assign_attributes queue_name: queue["name"], expected: queue["length"], up_to: look[:figures].row["last_id"],
          who: who || Current.user&.email_address
      end
    end

    def complaint_about(queue)
      case
      when queue.nil?                                  then "The queue #{queue_id} is gone."
      when kind == "deletion" && queue["personal"]     then "A personal queue stays with its client: empty it instead."
      when kind == "return" && !queue["dead"]          then "#{queue["name"]} does not hold dead letters."
      when kind == "return" && queue["source"].nil?    then "The queue that they came from is gone: create it again."
      end
    end
end
