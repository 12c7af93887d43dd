class TestRuns::DuplicatesController < ApplicationController
  include TestRunScoped

  # The page shows the commit for the new run.
  def new
    @measured = @test_run.measured_revision && @test_run.build.commit_sha
    @present = @test_run.definition.present_version

    respond_to do |format|
      format.html
      format.json { render json: { revision: @test_run.revision, measured: @measured, head: @present } }
    end
  end

  def create
    return answer_unsound "commit must be measured or head" unless params[:commit].in?([ nil, "measured", "head" ])
    if params[:commit] == "measured" && !@test_run.measured_revision
      return answer_unsound "commit cannot be measured: what the run measured was no commit, or nothing was built"
    end

    return answer_unsound "remedy must be #{Outcome::Remedy::KINDS.to_sentence(last_word_connector: " or ")}" unless
      params[:remedy].in?([ nil, *Outcome::Remedy::KINDS ])

    @copy = copy
    @copy.save!
    launched = params[:launch].present? && @copy.launch
    answer launched
  end

  private
    def copy
      case
      when params[:remedy] then Outcome::Remedy.new(@test_run, params[:remedy]).draft
      when params[:commit] then @test_run.again(params[:commit])
      else @test_run.duplicate
      end
    end

    # The copy also counts if it was created but could not be launched.
    def done?
      !!@copy&.persisted?
    end

    def audited_action
      @copy.draft? ? super : "launched again"
    end

    def answer(launched)
      respond_to do |format|
        format.html do
          redirect_to launched ? @copy : [ :edit, @copy ],
            alert: (@copy.errors.full_messages.to_sentence if params[:launch].present? && !launched)
        end
        format.json do
          params[:launch].present? && !launched ?
            render(json: { errors: @copy.errors.full_messages }, status: :unprocessable_entity) :
            render(json: @copy, status: :created, location: @copy)
        end
      end
    end
end
