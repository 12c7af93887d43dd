class Consoles::BrokersController < ApplicationController
  include ConsoleScoped

  def index
    @look = console.brokers
    answer brokers: @look.rows(:brokers)
  end
end
