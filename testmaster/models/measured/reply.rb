# The reply of one JVM to a command.
class Reply < ApplicationRecord
  include TestRun::Live::Part

  belongs_to :command
  belongs_to :jvm

  delegate :test_run, to: :command

  ANSWERS = %w[ ok refused failed unanswered ]

  enum :state, [ "pending", *ANSWERS ].index_by(&:itself)

  # answer is [ "OK", "the text of the reply" ].
  def take(answer)
    state, text = answer || [ "unanswered", "There was no response" ]
    state = state.to_s.downcase
    update! state: state.in?(ANSWERS) ? state : "failed", text: ForeignText.fit(text, Machine::Limits::REPLY),
      answered_at: Time.current
  end
end
