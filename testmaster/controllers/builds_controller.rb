class BuildsController < ApplicationController
  include Paginated

  def index
    @page = paginate Build.order(created_at: :desc, id: :desc)

    respond_to do |format|
      format.html
      format.json { render json: @page.records.map { |build| build.as_json(except: :log) } }
    end
  end

  def show
    @build = Build.find(params[:id])

    respond_to do |format|
      format.html
      format.json { render json: @build }
    end
  end
end
