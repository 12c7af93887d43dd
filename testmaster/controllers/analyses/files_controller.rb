# What an analysis has made: its plot (in the page, or to keep), table, script and data.
class Analyses::FilesController < ApplicationController
  include ActiveStorage::Streaming

  # A plot is a document of its own: it may have its styles, and nothing else.
  content_security_policy only: :show do |policy|
    policy.default_src :none
    policy.style_src :unsafe_inline
    policy.frame_ancestors :none
  end

  def show
    if shown_in_page?
      send_data file.download, type: "image/svg+xml", disposition: :inline
    else
      send_blob_stream file.blob, disposition: :attachment
    end
  end

  private
    def file
      @file ||= ActiveStorage::Attachment.find_by!(record: Analysis.find(params[:analysis_id]), name: params[:id])
    end

    def shown_in_page?
      params[:id] == "plot" && params[:keep].blank?
    end
end
