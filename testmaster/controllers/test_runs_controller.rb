class TestRunsController < ApplicationController
  include Drafted, Paginated, TestRunParams, UnsavedForms

  before_action :set_test_run, only: %i[ edit update destroy ]
  before_action :ensure_draft, only: %i[ edit update ]

  def index
    @page = paginate test_runs_asked_for.preloaded.sorted_by(params[:sort].to_s)
    Outcome.preload @page.records
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
    save_or_launch(@test_run, :new) && forget_unsaved(nil)
  end

  def edit
    restore(@test_run) if @unsaved = UnsavedDefinition.of(Current.user, @test_run)
  end

  def update
    return change if params[:launch].present? # it takes locks in an order of its own

    @test_run.with_lock { change unless ensure_draft }
  end

  def destroy
    destroy_or_refuse @test_run, ", with its logs and analyses"
  end

  private
    def set_test_run
      @test_run = TestRun.find(params[:id])
    end

    # Words that are not in the request keep the values that another user has saved meanwhile.
    def change
      @test_run.assign_attributes test_run_params
      save_changes(@test_run, :edit) && forget_unsaved(@test_run)
    end

    def ensure_draft
      answer_refusal @test_run, "has been launched: duplicate it to change it" unless @test_run.draft?
    end

    def starting_point
      TestRun.from_definition(TestRunParams::STARTING_POINT)
    end

    def test_runs_asked_for(asked = params)
      scopes = { state: :in_state, q: :search, tag: :tagged, provider: :provided_by, verdict: :with_verdict,
        experiment: :in_experiment }
      scopes.inject(TestRun.all) do |runs, (name, scope)|
        asked[name].present? ? runs.public_send(scope, asked[name].to_s.first(200)) : runs
      end
    end
end
