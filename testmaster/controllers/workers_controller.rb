# What the top of each page says of the worker.
class WorkersController < ApplicationController
  def show
    render partial: "workers/worker"
  end
end
