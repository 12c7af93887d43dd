Rails.application.routes.draw do
  root "test_runs#index"

  resource :session, only: %i[ new create destroy ] do
    resource :factor, only: %i[ new create ], module: :sessions
  end
  resource :sign_in_link, only: :show
  resource :acceptance, only: %i[ new create ]

  # The concern applies to every owner of a message database.
  concern :looked_into do
    resource :console, only: :show, controller: "consoles" do
      resources :queues, only: %i[ index show ], controller: "consoles/queues" do
        resources :changes, only: %i[ index show create destroy ], controller: "consoles/changes"
      end
      resources :topics, only: %i[ index show ], controller: "consoles/topics"
      resources :messages, only: %i[ index show ], controller: "consoles/messages"
      resources :clients, only: :index, controller: "consoles/clients"
      resources :brokers, only: :index, controller: "consoles/brokers"
    end
  end
  resources :message_databases, only: :index, concerns: :looked_into

  resources :test_runs, concerns: :looked_into do
    collection do
      scope module: :test_runs do
        resource :estimate, only: :create
        resource :unsaved_definition, only: %i[ create destroy ]
        resource :tagging, only: :create
        resource :deletion, only: %i[ new create ]
      end
    end
    scope module: :test_runs do
      resource :estimate, only: :update
      resource :unsaved_definition, only: %i[ create destroy ]
      resource :notes, only: %i[ edit update ]
      resource :launch, only: :create
      resource :cancellation, only: :create
      resource :duplicate, only: %i[ new create ]
      resource :definition, only: :show
      resource :archive, only: :show
      resource :profile, only: %i[ show create destroy ]
      resources :predictions, only: %i[ index show create destroy ] do
        scope module: :predictions do
          resource :check, only: :create
          resources :pictures, only: :show
        end
      end
      resource :charts, only: :show
      resource :series, only: :show, controller: "series"
      resources :logs, only: %i[ index show ]
      resources :baselines, only: %i[ create destroy ]
      resources :commands, only: %i[ index show create ]
      resources :analyses, only: %i[ index show create destroy ]
    end
  end

  resources :analyses, only: [] do
    resources :files, only: :show, controller: "analyses/files"
  end

  resources :comparisons, except: :edit do
    scope module: :comparisons do
      resource :cancellation, only: :create
      resources :pictures, only: :show
    end
  end

  resources :experiments do
    collection { resource :estimate, only: :create, as: :experiment_estimate, controller: "experiments/estimates" }
    scope module: :experiments do
      resource :launch, only: :create
      resource :cancellation, only: :create
      resource :pause, only: %i[ create destroy ]
      resource :definition, only: :show
      resource :evaluation, only: :create
      resources :repetitions, only: :create
      resources :levels, only: :create
      resources :pictures, only: :show
      resources :predictions, only: :create
      resources :points, only: :show do
        resource :skip, only: %i[ create destroy ]
        resource :rerun, only: :create
      end
    end
  end

  resources :definitions, only: %i[ new create ]
  namespace :machines do
    resource :sweep, only: :create
    resources :normals, only: :index
    resource :normal, only: :destroy
    resources :leftovers, only: :index
  end
  resources :machines, only: :index
  resources :builds, only: %i[ index show ]

  resource :settings, only: :show do
    resources :sections, only: :show, path: "", module: :settings,
      constraints: { id: /people|providers|databases|tokens|webhook|disk/ }
  end
  # A page that shows a secret or errors is loaded again.
  { "account" => "", "invitations" => "/people", "api_tokens" => "/tokens", "retention" => "/disk" }
    .each { |address, section| get "settings/#{address}", to: redirect("/settings#{section}") }
  namespace :settings do
    resource :account, only: :update
    resource :factor, only: %i[ new create destroy ]
    resource :columns, only: :update
    resource :retention, only: :update
    resource :housekeeping, only: :create
    resource :webhook, only: %i[ update destroy ] do
      resources :deliveries, only: :create, controller: "webhooks/deliveries"
    end
    resources :api_tokens, only: %i[ create destroy ]
    resources :sessions, only: :destroy
    resources :message_databases, except: %i[ index show ]
    resources :users, only: %i[ update destroy ]
    resources :invitations, only: %i[ create destroy ]
    resources :providers, only: %i[ new create edit update destroy ] do
      resource :check, only: :create, controller: "providers/checks"
      resource :disabling, only: %i[ create destroy ], controller: "providers/disablings"
      resources :host_keys, only: :destroy, controller: "providers/host_keys"
    end
  end

  resources :audit_entries, only: :index

  resource :glossary, only: :show
  resource :worker, only: :show
  resource :health, only: :show, path: "up"
end
