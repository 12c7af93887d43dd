# What one JVM said to a command.
class Reply < ApplicationRecord
  include TestRun::Live::Part

  belongs_to :command
  belongs_to :jvm

  delegate :test_run, to: :command

  enum :state, %w[ pending ok refused failed unanswered ].index_by(&:itself)

  # answer: [ "OK", "what it said" ]
  def take(answer)
    state, text = answer || [ "unanswered", "It said nothing" ]
    state = state.to_s.downcase
    update! state: self.class.states.key?(state) ? state : "failed", text: text.to_s.delete("\0").truncate(10_000),
      answered_at: Time.current
  end
end
