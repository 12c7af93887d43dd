# Serves the pictures of a comparison: throughput.light, throughput.dark and so on.
class Comparisons::PicturesController < ApplicationController
  include Drawn

  def show
    picture = Comparison.find(params[:comparison_id]).picture(params[:id].to_s, params[:theme].to_s)
    if picture
      send_data picture.download, type: "image/svg+xml", filename: picture.filename.to_s,
        disposition: params[:keep] ? :attachment : :inline
    else
      raise ActiveRecord::RecordNotFound.new("There is no such picture", "picture", :id, params[:id])
    end
  end
end
