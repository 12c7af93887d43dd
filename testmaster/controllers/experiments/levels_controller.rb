# Adds levels of a factor.
class Experiments::LevelsController < ApplicationController
  include ExperimentScoped

  def create
    levels = params[:levels].is_a?(Array) ? params[:levels] : params[:levels].to_s.split(",")
    added = @experiment.add_levels(params[:factor].to_s, levels.map { |level| level.to_s.strip })
    answer alert: (@experiment.errors.full_messages.to_sentence unless added)
  end
end
