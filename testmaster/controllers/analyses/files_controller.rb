# Serves the files of an analysis: its plot (in the page or as a download), table, script and data.
class Analyses::FilesController < ApplicationController
  include Drawn, Streamed

  def show
    if shown_in_page?
      send_data file.download, type: "image/svg+xml", disposition: :inline
    else
      send_blob file.blob
    end
  end

  private
    def file
      @file ||= ActiveStorage::Attachment.find_by!(record: Analysis.find(params[:analysis_id]), name: params[:id])
    end

    def shown_in_page?
      params[:id].in?(%w[ plot dark_plot ]) && params[:keep].blank?
    end
end
