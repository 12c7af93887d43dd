# Has everything that only grows kept within its limit: each chore once a day.
module Housekeeping
  # One that fails does not keep the others from being done.
  def self.perform
    Chore.all_made.each { |chore| chore.perform if chore.due? }
  end

  # On request all of them are due.
  def self.request
    Chore.all_made.each { |chore| chore.update! performed_at: nil }
    Housekeeping::PerformJob.perform_later
  end
end
