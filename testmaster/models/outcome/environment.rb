# Describes the environment of a run, for later readers of its zip.
class Outcome::Environment
  def initialize(test_run)
    @test_run = test_run
  end

  def to_h
    { "test_run" => @test_run.id, "name" => @test_run.name, "outcome" => outcome,
      "launched_at" => @test_run.launched_at&.utc&.iso8601(3),
      "load_starts_at" => @test_run.load_starts_at&.utc&.iso8601(3),
        "load_starts_ms" => @test_run.load_starts_at&.then { |time| (time.to_f * 1000).round },
      "definition" => @test_run.to_definition, "revision" => @test_run.revision,
        "commit" => @test_run.build&.commit_sha, "provider" => @test_run.provider.kind,
        "system" => @test_run.system.label,
        "database" => (@test_run.definition.database_without_password if @test_run.in_database?),
      "versions" => versions, "machines" => machines }
  end

  private
    def outcome
      { "failed_phase" => @test_run.failed_phase, "error" => @test_run.error,
        "cancelled" => @test_run.cancelled_at? }.compact
    end

    def versions
      {
        "ruby" => RUBY_VERSION, "rails" => Rails.version, "sidekiq" => Sidekiq::VERSION,
        "postgresql" => ApplicationRecord.connection.select_value("SHOW server_version")
      }
    end

    def machines
      @test_run.machines.map do |machine|
        { "name" => machine.name, "role" => machine.role, "host" => machine.host,
          "instance_type" => machine.instance_type, "clock_offset_ms" => machine.clock_offset,
          "clock_error_ms" => machine.clock_error,
          "private_address" => machine.private_address, "zone" => machine.zone, **machine.facts,
          "calibration" => machine.calibration&.to_h,
          "jvms" => machine.jvms.map { |jvm| describe jvm } }.compact
      end
    end

    def describe(jvm)
      { "name" => jvm.name, "scenario" => jvm.scenario, "port" => jvm.port, "state" => jvm.state,
        "exit_code" => jvm.exit_code, "version" => jvm.progress["version"],
        "command" => jvm.command_line, "settings" => jvm.settings_in_force }.compact
    end
end
