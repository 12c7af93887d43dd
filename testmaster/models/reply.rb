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
    update! state: state.downcase, text: text, answered_at: Time.current
  end
end
