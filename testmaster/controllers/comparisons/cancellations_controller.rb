class Comparisons::CancellationsController < ApplicationController
  def create
    @cancellation = comparison = Comparison.find(params[:comparison_id])
    comparison.cancel

    respond_to do |format|
      format.html { redirect_to comparison }
      format.json { render json: comparison, status: :accepted }
    end
  end
end
