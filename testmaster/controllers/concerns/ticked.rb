# Finds the runs that are selected in the list, or named by a program: test_run_ids.
module Ticked
  MOST = 100

  private
    def done?
      @done_with.present?
    end

    def audited_subject
      "runs #{@done_with.map(&:id).join(", ")}"
    end

    def ticked_runs
      ids = Array(params[:test_run_ids]).map(&:to_s).grep(/\A\d{1,18}\z/).first(MOST)
      TestRun.where(id: ids).order(:id).preloaded
    end

    # runs are those of the completed actions; done names the action.
    def answer_ticked(runs, done, complaints)
      @done_with = runs
      done = nil if runs.empty?
      respond_to do |format|
        format.html do
          redirect_to test_runs_path, notice: done, alert: complaints.to_sentence.presence, status: :see_other
        end
        format.json do
          complaints.any? ? render(json: { done: done, errors: complaints }, status: :unprocessable_entity) :
            render(json: { done: done })
        end
      end
    end
end
