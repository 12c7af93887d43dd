# Reports the health to programs without an account, even if the database is unavailable.
class HealthsController < ActionController::Base
  def show
    health = Health.new
    response.headers["Cache-Control"] = "no-store"
    render json: health, status: health.sound? ? :ok : :service_unavailable
  end
end
