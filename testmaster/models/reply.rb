# What one JVM said to a command.
class Reply < ApplicationRecord
  include TestRun::Live::Part

  belongs_to :command
  belongs_to :jvm

  delegate :test_run, to: :command

  enum :state, %w[ pending ok refused failed unanswered ].index_by(&:itself)
end
