# Shows the profile of a run's JVMs.
class TestRuns::ProfilesController < ApplicationController
  include TestRunScoped

  before_action :set_profile

  def show
    choose if @profile&.completed?

    respond_to do |format|
      format.html
      format.json { @profile ? render(json: represent) : head(:not_found) }
    end
  end

  def create
    if @test_run.archive.attached?
      @profile = Profile.request_for(@test_run)
      respond_to do |format|
        format.html { redirect_to test_run_profile_path(@test_run) }
        format.json { render json: represent, status: :accepted }
      end
    else
      refuse_without_logs
    end
  end

  # Cancels an active profile.
  def destroy
    @profile&.then { |profile| profile.ended? ? profile.destroy! : profile.cancel }

    respond_to do |format|
      format.html { redirect_to test_run_profile_path(@test_run), status: :see_other }
      format.json { head :no_content }
    end
  end

  private
    def set_profile
      @profile = @test_run.profile
    end

    def choose
      @choice = @profile.find_choice(params.fetch(:part, "all").to_s)
      @what, @by = params.fetch(:what, "cpu").to_s, params.fetch(:by, "method").to_s
      unless @choice && Profile::WHATS.key?(@what) && @by.in?(Profile::ROWS)
        raise ActiveRecord::RecordNotFound.new("The profile has no such part", "part", :id, params[:part])
      end
    end

    def audited_subject
      @test_run
    end

    def represent
      @profile.slice(:state, :step, :error, :completed_at, :choices, :notes, :jvms, :seconds)
        .merge(@choice ? represent_choice : {})
    end

    def represent_choice
      { part: @choice["key"], what: @what, recorded_seconds: @profile.recorded_seconds(@choice),
        tables: @profile.tables(@choice, @what) }
    end

    def refuse_without_logs
      respond_to do |format|
        words = "The run has no logs yet: its profile can be made once they are collected"
        format.html { redirect_to test_run_profile_path(@test_run), alert: words, status: :see_other }
        format.json { render json: { errors: [ words ] }, status: :unprocessable_entity }
      end
    end
end
