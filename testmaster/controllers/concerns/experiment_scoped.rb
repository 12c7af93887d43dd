module ExperimentScoped
  extend ActiveSupport::Concern

  included { before_action :set_experiment }

  private
    def set_experiment
      @experiment = Experiment.find(params[:experiment_id])
    end

    # Responds with the page, or with the experiment as JSON.
    def answer(notice: nil, alert: nil)
      respond_to do |format|
        format.html { redirect_to @experiment, notice: notice, alert: alert, status: :see_other }
        format.json do
          alert ? render(json: { errors: [ alert ] }, status: :unprocessable_entity) :
            render(json: @experiment.reload, status: :accepted)
        end
      end
    end

    def audited_subject
      @experiment
    end
end
