# Serves the pictures of an experiment, for light and dark pages.
class Experiments::PicturesController < ApplicationController
  include Drawn, ExperimentScoped

  def show
    picture = @experiment.evaluation&.picture(params[:id].to_s, params[:theme].to_s)
    if picture
      send_data picture.download, type: "image/svg+xml", filename: picture.filename.to_s,
        disposition: params[:keep] ? :attachment : :inline
    else
      raise ActiveRecord::RecordNotFound.new("There is no such picture", "picture", :id, params[:id])
    end
  end
end
