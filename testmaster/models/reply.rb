# What one JVM said to a command.
class Reply < ApplicationRecord
  belongs_to :command
  belongs_to :jvm

  enum :state, %w[ pending ok refused failed unanswered ].index_by(&:itself)
end
