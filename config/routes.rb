Rails.application.routes.draw do
  root "test_runs#index"
  get "up", to: "rails/health#show", as: :rails_health_check
end
