# Finds the database of a console page: that of a run, or a message database at an address.
module ConsoleScoped
  extend ActiveSupport::Concern

  included do
    before_action :set_owner, :ensure_database
    helper_method :console, :console_owner, :may_change?
    delegate :console, to: :console_owner
  end

  private
    attr_reader :console_owner

    # The required role depends on the owner, so this finds it first.
    def role_needed
      params[:message_database_id] && !request.get? && !request.head? ? "administrator" : super
    end

    def may_change?
      may? @message_database ? :administrator : :experimenter
    end

    def set_owner
      @console_owner = params[:message_database_id] ?
        @message_database = MessageDatabase.find(params[:message_database_id]) :
        @test_run = TestRun.find(params[:test_run_id])
    end

    def ensure_database
      unless @message_database || @test_run.run_database.lives?
        respond_to do |format|
          format.html { render "consoles/gone", status: :not_found }
          format.json { render json: { error: "Run #{@test_run.id} has no database now." }, status: :not_found }
        end
      end
    end

    # Returns the filter of the request, or responds with its validation error.
    def filter(*names)
      @filter = Console::Filter.new(params, *names)

      unless @filter.valid?
        respond_to do |format|
          format.html { render "consoles/unsound", status: :unprocessable_entity }
          format.json { render json: { errors: @filter.errors }, status: :unprocessable_entity }
        end
      end
    end

    def answer(**parts)
      respond_to do |format|
        format.html
        format.json do
          render json: { read_at: @look.read_at.iso8601(3), milliseconds: @look.milliseconds, gaps: @look.gaps,
            **parts }
        end
      end
    end

    # The query returns one row more than a page shows.
    def page_of(rows)
      rows&.first(console.questions.page)
    end

    def more?(rows)
      rows.to_a.size > console.questions.page
    end
end
