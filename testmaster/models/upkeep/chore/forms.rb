class Chore::Forms < Chore
  self.title, self.thing = "Form entries that were not saved", "rows"
  self.words = "Saved drafts stay."
  self.tables = %w[ unsaved_definitions ]
  self.usual_days = 90

  private
    def clear
      delete_rows UnsavedDefinition.where(updated_at: ..limit)
    end
end
