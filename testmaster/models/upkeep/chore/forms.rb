class Chore::Forms < Chore
  self.title, self.thing = "What was typed into forms and not saved", "rows"
  self.words = "Drafts that were saved stay."
  self.tables = %w[ unsaved_definitions ]
  self.usual_days = 90

  private
    def clear
      delete_rows UnsavedDefinition.where(updated_at: ..limit)
    end
end
