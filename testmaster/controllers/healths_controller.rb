# Asked by programs without an account, also while the database is away.
class HealthsController < ActionController::Base
  def show
    health = Health.new
    response.headers["Cache-Control"] = "no-store"
    render json: health, status: health.sound? ? :ok : :service_unavailable
  end
end
