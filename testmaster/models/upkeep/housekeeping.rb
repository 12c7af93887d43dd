# Runs each chore once a day.
module Housekeeping
  # A chore that fails does not stop the others.
  def self.perform
    Chore.all_made.each { |chore| chore.perform if chore.due? }
  end

  # A request makes all chores due.
  def self.request
    Chore.all_made.each { |chore| chore.update! performed_at: nil }
    Housekeeping::PerformJob.perform_later
  end
end
