class MessageDatabasesController < ApplicationController
  def index
    @message_databases = MessageDatabase.alphabetically
    @test_runs = TestRun.with_database.reverse_chronologically.limit(50).reject { |run| run.run_database.gone? }

    respond_to do |format|
      format.html
      format.json { render json: @message_databases }
    end
  end
end
