class AuditEntriesController < ApplicationController
  include Paginated

  open_to :administrator

  def index
    @page = paginate entries.reverse_chronologically

    respond_to do |format|
      format.html
      format.json { render json: @page.records }
    end
  end

  private
    def entries
      entries = AuditEntry.all
      entries = entries.by(params[:who].to_s.first(200)) if params[:who].present?
      entries = entries.mentioning(params[:q].to_s.first(200)) if params[:q].present?
      entries
    end
end
