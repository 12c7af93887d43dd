class ExperimentsController < ApplicationController
  include Drafted, ExperimentParams, Paginated, Reported

  before_action :set_experiment, only: %i[ show edit update destroy ]
  before_action :ensure_draft, only: %i[ edit update ]

  def index
    @page = paginate Experiment.reverse_chronologically.preload(:factors, :points)
    Experiment.preload_counts @page.records

    respond_to do |format|
      format.html
      format.json { render json: @page.records.map { |experiment| experiment.as_json(summary: true) } }
    end
  end

  def show
    respond_to do |format|
      format.html { redirect_to [ :edit, @experiment ] if @experiment.draft? }
      format.json { render json: @experiment }
      format.csv { send_data @experiment.to_csv, filename: "experiment_#{@experiment.id}.csv" }
      format.report { send_report @experiment }
    end
  end

  def new
    @experiment = Experiment.from_definition(starting_point)
  end

  def create
    @experiment = define(Experiment.new)
    save_or_launch @experiment, :new
  end

  def edit
  end

  def update
    return change if params[:launch].present? # it takes locks in an order of its own

    @experiment.with_lock { change unless ensure_draft }
  end

  def destroy
    destroy_or_refuse @experiment, ". Its runs are kept"
  end

  private
    def set_experiment
      @experiment = Experiment.preload(:factors, :points, :build).find(params[:id])
    end

    def change
      define @experiment
      save_changes @experiment, :edit
    end

    def ensure_draft
      answer_refusal @experiment, "has been launched: make a new one of its definition" unless @experiment.draft?
    end

    def beyond(experiment)
      experiment.find? ? experiment.search.beyond : raise(ActiveRecord::RecordNotFound)
    end

    # A new experiment starts from an existing run, an example, or the default definition.
    def starting_point
      case
      when params[:test_run_id] then TestRun.find(params[:test_run_id]).to_experiment
      when params[:beyond] then beyond(Experiment.find(params[:beyond]))
      when params[:example] then Example.find(params[:example].to_s).definition
      else TestRun.from_definition({ **STARTING_POINT, "name" => "Workers" }).to_experiment
      end
    end
end
