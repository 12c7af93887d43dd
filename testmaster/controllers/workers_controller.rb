# Renders the worker's state for the top of each page.
class WorkersController < ApplicationController
  def show
    render partial: "workers/worker"
  end
end
