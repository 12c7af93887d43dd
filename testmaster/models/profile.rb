# Profiles the processor time, the allocations and the lock waits of a run's JVMs, as tables and flame graphs. It is
# created once from the recordings in the zip, and kept.
class Profile < ApplicationRecord
  WHATS = YAML.load_file(Rails.root.join("vocabulary/profiles.yml")).transform_values { |row| row.fetch("label") }
  ROWS = %w[ method class package ]

  include Performable, TestRun::Live::Part

  belongs_to :test_run

  has_one_attached :contents # zip of the log analyzer's output

  # A profile that has failed is created again.
  def self.request_for(test_run)
    (test_run.profile || test_run.create_profile!).tap do |profile|
      if profile.failed? || profile.cancelled?
        profile.update! state: "pending", attempts: 0, error: nil, step: nil, cancelled_at: nil, completed_at: nil
      end
      profile.perform_later unless profile.ended?
    end
  rescue ActiveRecord::RecordNotUnique
    test_run.reload_profile
  end

  # Returns the selectable threads and tiers with their numbers of samples: [ { "key" => "tier_0", "kind" => "tier",
  # "name" => "broker worker", "cpu" => 1234, … }, … ].
  def choices
    parts.fetch("parts", [])
  end

  def notes
    parts.fetch("notes", [])
  end

  # Returns { "user" => …, "system" => … } for each JVM: its share of the machine's processors.
  def jvms
    parts.fetch("jvms", [])
  end

  # Returns the seconds that count; nil if the clients do not report them.
  def seconds
    (parts["to_ms"] - parts["from_ms"]) / 1000.0 if parts["from_ms"]
  end

  # Returns the seconds between the first and the last event: a JVM that recorded for a while has fewer. For a role or
  # threads, the span covers all JVMs.
  def recorded_seconds(choice)
    of = jvms.select { |jvm| jvm["from_ms"] && (choice["kind"] != "jvm" || jvm["name"] == choice["name"]) }
    (of.pluck("to_ms").max - of.pluck("from_ms").min) / 1000.0 if of.any?
  end

  # Finds a choice by its key or its name.
  def find_choice(word)
    choices.find { |choice| choice["key"] == word } || choices.find { |choice| choice["name"] == word }
  end
end
