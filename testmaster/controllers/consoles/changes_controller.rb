class Consoles::ChangesController < ApplicationController
  include ConsoleScoped

  before_action :set_change, only: %i[ show destroy ]

  def index
    render json: changes.reverse_chronologically.limit(100)
  end

  def show
    render json: @change
  end

  def create
    @change = changes.build(change_params)

    if @change.save
      @change.perform_later
      respond_to do |format|
        format.html { redirect_to queue_path, notice: "Started. It continues if you leave this page." }
        format.json { render json: @change, status: :accepted }
      end
    else
      answer_mistakes
    end
  end

  # Stops the change: completed steps are not undone.
  def destroy
    @change.stop
    respond_to do |format|
      format.html { redirect_to queue_path, status: :see_other }
      format.json { render json: @change, status: :accepted }
    end
  end

  private
    def queue_id
      params[:queue_id].to_s[/\A\d{1,9}\z/].to_i
    end

    def changes
      console_owner.queue_changes.where(queue_id: queue_id)
    end

    def set_change
      @change = changes.find(params[:id])
    end

    def change_params
      fields_of(:change).permit(:kind, :only_if_empty)
    end

    def queue_path
      polymorphic_path([ console_owner, :console, :queue ], id: queue_id)
    end

    def answer_mistakes
      respond_to do |format|
        format.html { redirect_to polymorphic_path([ console_owner, :console, :queues ]),
          alert: @change.errors.full_messages.to_sentence }
        format.json { render json: { errors: @change.errors.full_messages }, status: :unprocessable_entity }
      end
    end
end
