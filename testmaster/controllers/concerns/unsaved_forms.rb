# Restores what a user had typed into the form of a run.
module UnsavedForms
  private
    def unsaved
      restore(TestRun.new) if @unsaved = UnsavedDefinition.of(Current.user, nil)
    end

    def forget_unsaved(form_of)
      UnsavedDefinition.forget Current.user, form_of
    end

    # Input that an earlier version of the form has stored may not fit this one.
    def restore(test_run)
      test_run.assign_attributes form_params(ActionController::Parameters.new(@unsaved.to_params))
      test_run.tap(&:validate)
    rescue ActionController::UnpermittedParameters
      @unsaved = nil
    end
end
