class TestRunsController < ApplicationController
  include Paginated, TestRunParams

  before_action :set_test_run, only: %i[ edit update destroy ]
  before_action :ensure_draft, only: %i[ edit update ]

  def index
    @page = paginate test_runs_asked_for.preloaded.sorted_by(params[:sort].to_s)
    TestRun.preload_measurements @page.records
    @counts = test_runs_asked_for(params.except(:state)).group(:state).count

    respond_to do |format|
      format.html
      format.json { render json: @page.records.map { |test_run| test_run.as_json(summary: true) } }
    end
  end

  def show
    @test_run = TestRun.with_parts.find(params[:id])

    respond_to do |format|
      format.html { redirect_to [ :edit, @test_run ] if @test_run.draft? }
      format.json { render json: @test_run }
    end
  end

  def new
    @test_run = params[:example] ?
      Example.find(params[:example]).test_run.tap(&:validate) : unsaved || starting_point
  end

  def create
    @test_run = TestRun.new(test_run_params)
    save_or_launch :new
  end

  def edit
    take_up(@test_run) if @unsaved = UnsavedDefinition.of(Current.user, @test_run)
  end

  def update
    @test_run.assign_attributes test_run_params
    save_or_launch :edit
  end

  def destroy
    if @test_run.destroy
      respond_to do |format|
        format.html do
          redirect_to test_runs_path, notice: "Test run #{@test_run.id} is deleted, with its logs and analyses.",
            status: :see_other
        end
        format.json { head :no_content }
      end
    else
      answer_refusal "Test run #{@test_run.id} #{@test_run.errors.full_messages.to_sentence}."
    end
  end

  private
    def audited_action
      params[:launch].present? ? "launched" : super
    end

    def set_test_run
      @test_run = TestRun.find(params[:id])
    end

    def ensure_draft
      answer_refusal "Test run #{@test_run.id} has been launched: duplicate it to change it." unless @test_run.draft?
    end

    def unsaved
      take_up(TestRun.new) if @unsaved = UnsavedDefinition.of(Current.user, nil)
    end

    def starting_point
      TestRun.from_definition(TestRunParams::STARTING_POINT)
    end

    # A group that was removed elsewhere meanwhile cannot be changed.
    def take_up(test_run)
      test_run.assign_attributes form_params(ActionController::Parameters.new(@unsaved.to_params))
      test_run.tap(&:validate)
    rescue ActiveRecord::RecordNotFound
      @unsaved = nil
      test_run.reload
    end

    def test_runs_asked_for(asked = params)
      scopes = { state: :in_state, q: :search, tag: :tagged, provider: :provided_by, verdict: :with_verdict,
        experiment: :in_experiment }
      scopes.inject(TestRun.all) do |runs, (name, scope)|
        asked[name].present? ? runs.public_send(scope, asked[name].to_s.first(200)) : runs
      end
    end

    def save_or_launch(page)
      form_of = (@test_run if @test_run.persisted?)
      if params[:launch].present? ? @test_run.launch : @test_run.save
        UnsavedDefinition.forget Current.user, form_of
        answer_saved
      else
        answer_mistakes page
      end
    end

    def answer_saved
      respond_to do |format|
        format.html do
          @test_run.draft? ? redirect_to([ :edit, @test_run ], notice: "Draft saved.") : redirect_to(@test_run)
        end
        format.json { render json: @test_run, status: :created, location: @test_run }
      end
    end

    def answer_mistakes(page)
      respond_to do |format|
        format.html { render page, status: :unprocessable_entity }
        format.json { render json: { errors: @test_run.errors.full_messages }, status: :unprocessable_entity }
      end
    end

    def answer_refusal(reason)
      respond_to do |format|
        format.html { redirect_to @test_run, alert: reason, status: :see_other }
        format.json { render json: { error: reason }, status: :conflict }
      end
    end
end
