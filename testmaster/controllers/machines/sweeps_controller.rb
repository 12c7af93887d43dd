# Asks every provider what lives, and releases what belongs to no run at work.
class Machines::SweepsController < ApplicationController
  def create
    held = Machine.held.ids
    Provider.sweep
    released = Machine.where(id: held, state: "released").order(:id)

    respond_to do |format|
      format.html { redirect_to machines_path, notice: released.any? ? "Released: #{released.map(&:name).to_sentence}." : "Nothing was left over." }
      format.json { render json: released.map { |machine| machine.slice(:id, :name, :state, :test_run_id) } }
    end
  end
end
