# A test run or an experiment is a draft until a form or a program launches it; after that it cannot be changed.
module Drafted
  private
    def audited_action
      params[:launch].present? ? "launched" : super
    end

    # Returns whether it was saved or launched; if not, it renders the form with the reasons.
    def save_or_launch(draft, page)
      saved = params[:launch].present? ? draft.launch : draft.save
      saved ? answer_saved(draft) : answer_mistakes(draft, page)
      saved
    end

    # The form contains the version of the draft when it was opened. A user who saves an old version sees a warning and
    # keeps the input; saving once more overwrites the draft.
    def changed_meanwhile?(draft)
      changed = params[:seen].present? && params[:seen].to_s != draft.version
      if changed
        draft.errors.add :base, "This draft was saved elsewhere while it was open here. Save it again to replace " \
          "the other version, or open it again to see what has changed"
      end
      changed
    end

    # Records may have changed in part even if saving failed.
    def save_changes(draft, page)
      return answer_mistakes(draft, page) if changed_meanwhile?(draft)

      draft.updated_at = Time.current
      save_or_launch draft, page
    end

    def answer_saved(draft)
      respond_to do |format|
        format.html { draft.draft? ? redirect_to([ :edit, draft ], notice: "Draft saved.") : redirect_to(draft) }
        format.json { render json: draft.reload, status: :created, location: draft }
      end
    end

    def answer_mistakes(draft, page)
      respond_to do |format|
        format.html { render page, status: :unprocessable_entity }
        format.json { render json: { errors: draft.errors.full_messages }, status: :unprocessable_entity }
      end
    end

    def answer_refusal(subject, reason)
      respond_to do |format|
        format.html { redirect_to subject, alert: "#{words_for subject} #{reason}.", status: :see_other }
        format.json { render json: { error: "#{words_for subject} #{reason}." }, status: :conflict }
      end
    end

    # consequence says what happens to the records that belong to it.
    def destroy_or_refuse(subject, consequence)
      if subject.destroy
        respond_to do |format|
          format.html do
            redirect_to subject.class, notice: "#{words_for subject} is deleted#{consequence}.", status: :see_other
          end
          format.json { head :no_content }
        end
      else
        answer_refusal subject, subject.errors.full_messages.to_sentence
      end
    end

    # Returns a text such as "Test run 7".
    def words_for(subject)
      "#{subject.model_name.human} #{subject.id}"
    end
end
