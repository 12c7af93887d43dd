class Settings::MessageDatabasesController < ApplicationController
  refuse_tokens
  open_to :administrator

  before_action :set_message_database, only: %i[ edit update destroy ]

  def new
    @message_database = MessageDatabase.new
  end

  def create
    @message_database = MessageDatabase.new(message_database_params)
    save_or_show :new
  end

  def edit
  end

  def update
    @message_database.assign_attributes message_database_params
    save_or_show :edit
  end

  def destroy
    @message_database.destroy!
    redirect_to settings_section_path("databases"), notice: "#{@message_database.name} is removed.",
      status: :see_other
  end

  private
    def set_message_database
      @message_database = MessageDatabase.find(params[:id])
    end

    def message_database_params
      fields_of(:message_database).permit(:name, :shown_address)
    end

    def save_or_show(page)
      if @message_database.save
        redirect_to settings_section_path("databases"), notice: "#{@message_database.name} is saved."
      else
        render page, status: :unprocessable_entity
      end
    end
end
