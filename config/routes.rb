Rails.application.routes.draw do
  root "test_runs#index"

  resource :session, only: %i[ new create destroy ]
  resource :sign_in_link, only: :show
  resource :acceptance, only: %i[ new create ]

  resources :test_runs do
    collection { resource :estimate, only: :create, controller: "test_runs/estimates" }
    scope module: :test_runs do
      resource :estimate, only: :update
      resource :launch, only: :create
      resource :cancellation, only: :create
      resource :duplicate, only: :create
      resource :definition, only: :show
      resource :archive, only: :show
      resource :series, only: :show, controller: "series"
      resources :logs, only: %i[ index show ]
      resources :commands, only: %i[ index show create ]
      resources :analyses, only: %i[ index show create destroy ]
    end
  end

  resources :analyses, only: [] do
    resources :files, only: :show, controller: "analyses/files"
  end

  resources :definitions, only: %i[ new create ]
  namespace :machines do
    resource :sweep, only: :create
    resources :leftovers, only: :index
  end
  resources :machines, only: :index
  resources :builds, only: %i[ index show ]

  resource :settings, only: :show
  namespace :settings do
    resource :account, only: :update
    resource :columns, only: :update
    resources :api_tokens, only: %i[ create destroy ]
    resources :sessions, only: :destroy
    resources :users, only: %i[ update destroy ]
    resources :invitations, only: %i[ create destroy ]
    resources :providers, only: %i[ new create edit update destroy ] do
      resource :check, only: :create, controller: "providers/checks"
      resources :host_keys, only: :destroy, controller: "providers/host_keys"
    end
  end

  resources :audit_entries, only: :index

  get "up", to: "rails/health#show", as: :rails_health_check
end
