class MachinesController < ApplicationController
  def index
    @machines = Machine.held.preload(:test_run, :provider, :jvms).order(:provider_id, :id)

    respond_to do |format|
      format.html { @normals = Machine::Normal.all }
      format.json { render json: @machines }
    end
  end
end
