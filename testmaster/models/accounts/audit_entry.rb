# Records an action of a user, with its time and IP address. Entries outlive the accounts and the runs that they name.
class AuditEntry < ApplicationRecord
  # The table describes actions of controllers. An action that is missing here is described by its controller's name.
  WORDS = {
    "test_runs#create" => "made", "test_runs#update" => "changed", "test_runs#destroy" => "deleted",
    "test_runs/launches#create" => "launched", "test_runs/cancellations#create" => "cancelled",
    "test_runs/duplicates#create" => "copied", "test_runs/notes#update" => "wrote notes on",
    "test_runs/baselines#create" => "marked as baseline", "test_runs/baselines#destroy" => "unmarked as baseline",
    "test_runs/taggings#create" => "tagged", "test_runs/deletions#create" => "deleted",
    "comparisons#create" => "compared", "comparisons#update" => "chose another baseline of",
    "comparisons#destroy" => "deleted", "comparisons/cancellations#create" => "cancelled",
    "experiments#create" => "made", "experiments#update" => "changed", "experiments#destroy" => "deleted",
    "experiments/launches#create" => "launched", "experiments/cancellations#create" => "cancelled",
    "experiments/pauses#create" => "paused", "experiments/pauses#destroy" => "resumed",
    "experiments/repetitions#create" => "added repetitions to", "experiments/levels#create" => "added levels to",
    "experiments/skips#create" => "skipped a point of", "experiments/skips#destroy" => "included a skipped point of",
    "experiments/reruns#create" => "ran a point again of", "experiments/evaluations#create" => "evaluated",
    "settings/webhooks#update" => "saved a webhook", "settings/webhooks#destroy" => "removed the webhook",
    "settings/webhooks/deliveries#create" => "sent a test to the webhook", "test_runs/commands#create" => "commanded",
    "test_runs/analyses#create" => "analyzed", "test_runs/analyses#destroy" => "cancelled or deleted an analysis of",
    "test_runs/profiles#create" => "made a profile of",
    "test_runs/profiles#destroy" => "cancelled or deleted the profile of",
    "test_runs/predictions#create" => "asked for a prediction of",
    "test_runs/predictions#destroy" => "deleted a prediction of",
    "test_runs/predictions/checks#create" => "launched a check of",
    "definitions#create" => "imported", "machines/sweeps#create" => "released orphaned machines",
    "machines/normals#destroy" => "forgot the normal of",
    "sessions#create" => "signed in", "sessions#destroy" => "signed out", "sign_in_links#show" => "signed in by a link",
    "acceptances#create" => "accepted an invitation", "settings/accounts#update" => "changed their own account",
    "sessions/factors#create" => "signed in", "settings/factors#create" => "turned the second factor on",
    "settings/factors#destroy" => "turned the second factor off",
    "settings/sessions#destroy" => "signed a browser out", "settings/users#update" => "changed the role of",
    "settings/users#destroy" => "removed", "settings/invitations#create" => "invited",
    "settings/invitations#destroy" => "withdrew the invitation of", "settings/api_tokens#create" => "made a token",
    "settings/api_tokens#destroy" => "revoked a token", "settings/providers#create" => "added",
    "settings/providers#update" => "changed", "settings/providers#destroy" => "removed",
    "consoles/changes#create" => "began", "consoles/changes#destroy" => "stopped",
    "settings/message_databases#create" => "added", "settings/message_databases#update" => "changed",
    "settings/message_databases#destroy" => "removed",
    "settings/retentions#update" => "changed how long things are kept",
    "settings/housekeepings#create" => "began housekeeping",
    "settings/providers/disablings#create" => "disabled", "settings/providers/disablings#destroy" => "enabled",
    "settings/providers/checks#create" => "checked", "settings/providers/host_keys#destroy" => "forgot a host key of"
  }

  belongs_to :user, optional: true
  belongs_to :test_run, optional: true

  scope :reverse_chronologically, -> { order created_at: :desc, id: :desc }
  scope :by, ->(who) { where who: who }
  scope :mentioning, ->(text) {
    where "who || ' ' || action || ' ' || coalesce(subject, '') ILIKE ?", "%#{sanitize_sql_like text}%"
  }

  class << self
    def label(record)
      case record
      when TestRun then [ "run", record.id, record.name ].compact.join(" ")
      when String then record
      when User, Invitation then record.email_address
      when Command then "#{label record.test_run}: #{record.line} to #{record.target}"
      when QueueChange then "#{record.kind} of queue #{record.queue_name} of #{label record.owner}"
      when Prediction then "#{label record.test_run}: #{record.title}"
      when nil then nil
      else [ record.model_name.human.downcase, record.try(:name) || record.id ].join(" ")
      end&.first(300)
    end

    def word_of(controller, action)
      WORDS.fetch("#{controller}##{action}") { "#{controller.split("/").last.humanize.downcase}: #{action}" }
    end
  end

  def as_json(*)
    slice :id, :created_at, :who, :token, :action, :subject, :test_run_id, :ip_address
  end
end
