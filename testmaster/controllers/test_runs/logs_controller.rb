# Shows the lines of all logs of a run by time, and one log page by page.
class TestRuns::LogsController < ApplicationController
  include TestRunScoped

  rescue_from(Outcome::Log::Selection::Refused) { |refusal| answer_unsound refusal.message }

  def index
    @selection = Outcome::Log::Selection.new(@test_run, **which, search: may?(:experimenter))

    respond_to do |format|
      format.html
      format.json { render json: @selection }
    end
  end

  def show
    read_part

    respond_to do |format|
      format.html { render status: status_of_part }
      format.json { render json: @trouble ? { error: @trouble } : @part, status: status_of_part }
    end
  end

  private
    def which
      params.slice(:q, :level, :from, :to, :jvm).permit(:q, :from, :to, :level, :jvm, level: [], jvm: [])
        .to_h.symbolize_keys
    end

    def status_of_part
      @trouble ? :service_unavailable : :ok
    end

    def read_part
      @file = (params[:file].presence || "#{params[:id]}.log").to_s
      at = params[:at].to_s[/\A\d{1,15}\z/]&.to_i
      raise Outcome::Log::Selection::Refused, "at must be a number of bytes" if params[:at].present? && at.nil?

      @part = Outcome::Log.read(@test_run, params[:id], @file, at || (0 if @test_run.ended?))
    rescue Failure => failure
      @trouble = [ failure.message, failure.advice ].compact.join(". ")
    end
end
