class ConsolesController < ApplicationController
  include ConsoleScoped

  def show
    @look = console.overview
    answer figures: @look[:figures].row, brokers: @look.rows(:brokers), queues: @look.rows(:queues)
  end
end
