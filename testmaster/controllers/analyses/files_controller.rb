# What an analysis has made: its plot (in the page, or to keep), table, script and data.
class Analyses::FilesController < ApplicationController
  include ActiveStorage::Streaming

  FILES = %w[ plot table script data ]

  # A plot is a document of its own: it may have its styles, and nothing else.
  content_security_policy { |policy| policy.default_src(:none); policy.style_src(:unsafe_inline); policy.frame_ancestors(:none) }

  def show
    file = FILES.include?(params[:id]) && Analysis.find(params[:analysis_id]).public_send(params[:id])

    if file && file.attached?
      send_blob_stream file.blob, disposition: params[:keep] || params[:id] != "plot" ? :attachment : :inline
    else
      raise ActiveRecord::RecordNotFound.new("There is no such file", "file", :id, params[:id])
    end
  end
end
