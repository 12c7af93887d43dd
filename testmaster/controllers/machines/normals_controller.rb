# Lists what hosts, and types of rented machines, usually can do, and forgets that of one that was changed on purpose.
class Machines::NormalsController < ApplicationController
  def index
    respond_to do |format|
      format.html { redirect_to machines_path(anchor: "normals") }
      format.json { render json: Machine::Normal.all }
    end
  end

  def destroy
    @normal = Machine::Normal.find(params[:provider_id], params[:site])
    @normal ? forget : refuse
  end

  private
    def forget
      @normal.forget
      respond_to do |format|
        format.html { redirect_to machines_path(anchor: "normals"), notice: "Forgot the normal of #{@normal.label}." }
        format.json { render json: @normal }
      end
    end

    def refuse
      complaint = "There is no such normal: it was forgotten, or the machine was never calibrated."
      respond_to do |format|
        format.html { redirect_to machines_path(anchor: "normals"), alert: complaint }
        format.json { render json: { error: complaint }, status: :not_found }
      end
    end

    def audited_subject
      @normal&.label
    end
end
