# Represents a run as JSON in the words of its definition, without secrets.
module TestRun::Represented
  extend ActiveSupport::Concern

  SUMMARY = %w[ id name state tags mix elapsed created_at launched_at ended_at error advice ]
  OF_SECONDS = %w[ mean p99 messages so_far ] # exact figures of the same names replace them

  included do
    scope :with_parts, -> {
      preload :provider, :build, :baselines, machines: :calibration, events: %i[ machine jvm ],
        jvms: :machine, commands: { replies: :jvm },
        archive_attachment: :blob, own_comparison: :entries,
        analyses: Analysis.reflect_on_all_attachments.map { |file| { "#{file.name}_attachment": :blob } }
    }
  end

  # summary: true is for lists.
  def as_json(options = nil)
    summary = SUMMARY.index_with { |name| public_send(name) }.merge("provider" => provider.name,
      "system" => system.name,
      "verdict" => verdict&.to_h, "change" => outcome.change_since_baseline,
      "baseline_of" => baselines.map { |baseline| baseline.slice("id", "kind", "value") },
      "figures" => figures_told)
    (options&.dig(:summary) ? summary : summary.merge("verdict" => verdict, **details)).as_json
  end

  private
    def figures_told
      told = measurement.except("spark", "checks", "examined")
      told["exact"] ? told.except(*OF_SECONDS) : told
    end

    def details
      { "description" => description, "revision" => revision, "commit" => build&.commit_sha,
        "load_starts_at" => load_starts_at,
        "failed_phase" => failed_phase, "failed_on" => outcome.failed_on, "cancelling" => !!cancelling?,
          "worker" => Worker.running?, "phases" => phases, "thresholds" => outcome.judgements,
          "checks" => outcome.all_checks,
          "examined" => examined?,
        "machines" => machines.map { |machine| machine.slice(:name, :role, :state, :host, :instance_type,
          :clock_offset, :clock_error).merge("calibration" => machine.calibration&.to_h) },
        "jvms" => jvms.map { |jvm| jvm.slice(:name, :role, :scenario, :state, :port, :exit_code,
          :last_line).merge("progress" => jvm.figures, "machine" => jvm.machine.name) },
        "events" => events.map { |event| event.slice(:name, :phase, :message, :created_at) },
        "analyses" => analyses.map(&:id), "archive" => (archive.filename.to_s if archive.attached?),
          "definition" => to_definition }
    end
end
