# What an analysis has made: its plot (in the page, or to keep), table, script and data.
class Analyses::FilesController < ApplicationController
  include Streamed

  # A plot is a document of its own: it may have its styles, and nothing else.
  content_security_policy only: :show do |policy|
    policy.directives.clear
    policy.default_src :none
    policy.script_src :none
    policy.style_src :unsafe_inline
    policy.base_uri :none
    policy.form_action :none
    policy.frame_ancestors :none
  end
  # A nonce would let scripts run, and forbid those styles.
  before_action { request.content_security_policy_nonce_directives = [] }

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
      params[:id].in?(%w[ plot dark_plot ]) && params[:keep].blank?
    end
end
