# Deletes old entries of the audit log, old charges, and old records of machines and queue changes without a run.
class Chore::Audit < Chore
  self.title, self.thing = "Audit log and charges", "rows"
  self.words = "Also machines that belong to no run any more, and orders to queues of message databases."
  self.tables = %w[ audit_entries charges queue_changes ]
  self.usual_days, self.fewest_days = 730, 30

  private
    def clear
      delete_rows AuditEntry.where(created_at: ..limit)
      delete_rows Charge.where(released_at: ..limit)
      delete_rows QueueChange.where(test_run_id: nil, completed_at: ..limit)
      each_of(Machine.released.where(test_run_id: nil, released_at: ..limit).find_each) do |machine|
        machine.destroy!
        @removed += 1
      end
    end
end
