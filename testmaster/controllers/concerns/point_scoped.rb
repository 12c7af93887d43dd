module PointScoped
  extend ActiveSupport::Concern
  include ExperimentScoped

  included { before_action :set_point }

  private
    def answer_about(done, notice:)
      answer notice: (notice if done), alert: (@point.experiment.errors.full_messages.to_sentence unless done)
    end

    def set_point
      number = params[:point_id].to_s
      @point = @experiment.points.find_by(number: number.match?(/\A\d{1,4}\z/) ? number : nil) ||
        raise(ActiveRecord::RecordNotFound.new("There is no such point", "point", :id, number))
    end
end
