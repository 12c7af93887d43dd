# Where the processor time, the allocations and the lock waits of a run's JVMs go, from what they recorded: tables and
# flame graphs, made once from the zip and kept.
class Profile < ApplicationRecord
  WHATS = YAML.load_file(Rails.root.join("vocabulary/profiles.yml")).transform_values { |row| row.fetch("label") }
  ROWS = %w[ method class package ]

  include Performable, TestRun::Live::Part

  belongs_to :test_run

  has_one_attached :contents # zip of what the log analyzer wrote

  # Made anew where it could not be made.
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

  # [ { "key" => "tier_0", "kind" => "tier", "name" => "broker worker", "cpu" => 1234, … }, … ]: what may be chosen, and
  # how many samples it has
  def choices
    parts.fetch("parts", [])
  end

  def notes
    parts.fetch("notes", [])
  end

  # { "user" => …, "system" => … }: share of the machine's processors that JVMs used, each
  def jvms
    parts.fetch("jvms", [])
  end

  # Seconds that count; nil where the clients do not tell.
  def seconds
    (parts["to_ms"] - parts["from_ms"]) / 1000.0 if parts["from_ms"]
  end

  # Seconds of them from the first to the last event: a JVM that recorded for a while has fewer. For a role or
  # threads, those of all JVMs.
  def recorded_seconds(choice)
    of = jvms.select { |jvm| jvm["from_ms"] && (choice["kind"] != "jvm" || jvm["name"] == choice["name"]) }
    (of.pluck("to_ms").max - of.pluck("from_ms").min) / 1000.0 if of.any?
  end

  # By its key, or by its name
  def find_choice(word)
    choices.find { |choice| choice["key"] == word } || choices.find { |choice| choice["name"] == word }
  end
end
