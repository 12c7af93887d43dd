class MachinesController < ApplicationController
  def index
    @machines = Machine.held.preload(:test_run, :provider, :jvms).order(:provider_id, :id)

    respond_to do |format|
      format.html
      format.json { render json: @machines.map { |machine| represent machine } }
    end
  end

  private
    def represent(machine)
      machine.slice(:id, :name, :role, :state, :host, :instance_type, :test_run_id, :created_at, :cost).merge(provider: machine.provider.name)
    end
end
