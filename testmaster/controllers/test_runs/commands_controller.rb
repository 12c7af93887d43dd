class TestRuns::CommandsController < ApplicationController
  include TestRunScoped

  def index
    render json: @test_run.commands.map { |command| represent command }
  end

  def show
    render json: represent(@test_run.commands.find(params[:id]))
  end

  def create
    @command = @test_run.commands.build(command_params)

    if @command.save
      @command.deliver_later
      answer_sent
    else
      answer_mistakes
    end
  end

  private
    def command_params
      fields_of(:command).permit(:line, :target, :argument, :seconds).then do |given|
        rate, seconds = given.delete(:argument), given.delete(:seconds)
        case given[:line]
        when "rate"    then given.merge(line: "rate #{rate}/s")
        when "profile" then given.merge(line: "profile #{seconds}s")
        else given
        end
      end
    end

    def represent(command)
      command.slice(:id, :line, :target, :created_at)
        .merge(replies: command.replies
          .map { |reply| reply.slice(:state, :text, :answered_at).merge(jvm: reply.jvm.name) })
    end

    def answer_sent
      respond_to do |format|
        format.turbo_stream
        format.html { redirect_to test_run_path(@test_run, anchor: "commands") }
        format.json { render json: represent(@command), status: :created }
      end
    end

    def answer_mistakes
      respond_to do |format|
        format.turbo_stream { render :create, status: :unprocessable_entity }
        format.html do
          redirect_to test_run_path(@test_run, anchor: "commands"), alert: @command.errors.full_messages.to_sentence
        end
        format.json { render json: { errors: @command.errors.full_messages }, status: :unprocessable_entity }
      end
    end
end
