# Ends every run: stops its processes, collects its data, releases its machines. A step that fails does not stop the
# next. It has no requirements: missing data is skipped. Performed again, it resumes partly fetched files, and keeps a
# zip that is written.
class TestRun::Phase::Collecting < TestRun::Phase
  include FilesFirst, Stopping

  GIVEN_UP = %w[ kept releasing released ] # by this worker or the one before

  # Once all machines are given up, there is nothing more to collect.
  def perform
    gather unless machines.any? && machines.all? { |machine| machine.state.in? GIVEN_UP }
    conclude
  end

  private
    delegate :archive, to: :test_run

    # A cancelled run is collected like any other.
    def check_cancellation
      test_run.show_life
    end

    def leave
      conclude
    end

    def gather
      stop_jvms
      dump_database
      attempt("write the zip") { archive_logs }
      drop_database
    end

    def attempt(what, &block)
      super what do
        block.call
      rescue Machine::Unreachable => failure
        out_of_reach << failure.machine
        raise
      end
    end

    def machines_in_hand
      machines.select(&:in_hand?)
    end

    # Machines that did not respond before are left out. They are tried once more for their logs, but not at every step.
    def machines_within_reach
      machines_in_hand - out_of_reach
    end

    def out_of_reach
      @out_of_reach ||= []
    end

    def dump_database
      if test_run.run_database.created? && !spool.join("database.csv").exist?
        attempt "write down what is left in the database" do
          spool.mkpath
          part, database = spool.join("database.csv.part"), run_database.at_hand
          part.open("wb") { |file| attended { database.dump file } }
          part.rename spool.join("database.csv")
        end
      end
    end

    def drop_database
      if test_run.run_database.begun? && (!test_run.keep_database || test_run.database == "machine")
        attempt("wait for whoever makes the database") { give_up_on_database } unless test_run.run_database.created?
        attempt("drop the database") { run_database.drop }
      end
    end

    # A killed worker may have left its creation running.
    def give_up_on_database
      run_database.give_up_on brokers.first.machine if machines_within_reach.include?(brokers.first.machine)
    end

    def archive_logs
      return if archive.attached?

      files = collect_files
      contents = Outcome::Archive.new(test_run, files, extras)
      Tempfile.create([ "test_run", ".zip" ], binmode: true) do |zip|
        attended { contents.write_to zip }
        zip.rewind
        store archive, zip, filename: "test_run_#{test_run.id}.zip", content_type: "application/zip"
      end
      size = ActiveSupport::NumberHelper.number_to_human_size(archive.byte_size)
      record_event :collected, "#{files.size} files collected, #{size} zipped"
    end

    # Missing files are noted.
    def collect_files
      folder, kept_files = spool, system.kept_files
      fetched = on_machines(machines_in_hand) { |machine| fetch_from machine, folder, kept_files }
      fetched.flat_map do |machine, (items, failure)|
        attempt("collect the logs of #{machine.name}") { raise failure } if failure
        items
      end
    end

    # Returns [ items, failure that prevented the others ].
    def fetch_from(machine, folder, kept_files)
      missed, fetched = machine.fetch_logs(folder, kept_files).partition { |_, result| result.is_a?(Failure) }
      [ fetched.map { |file, path| Outcome::Archive::Item.new(machine.name, file, path) }, incomplete(missed, fetched) ]
    rescue Failure => failure
      [ [], failure ]
    end

    def incomplete(missed, fetched)
      return if missed.empty?

      names = [ *missed.first(5).map { |file, _| file.path }, *("…" if missed.size > 5) ].join(", ")
      why = missed.first.last.message
      Failure.new "#{missed.size} of #{missed.size + fetched.size} files are missing (#{names}): #{why}"
    end

    def extras
      names = [ "database.csv", *run_database.counters.keys ]
      names.index_with { |name| spool.join(name) }.select { |_, path| path.exist? }
    end

    def conclude
      release_machines
      clear_up
      test_run.assign_attributes state: outcome, ended_at: Time.current
      complain_of_missing
      correct_advice
      test_run.transaction do
        record_event test_run.state, test_run.state.capitalize, phase: "collecting"
        test_run.save! validate: false
      end
      test_run.call_next_in_queue
    end

    def release_machines
      left = machines.reject { |machine| machine.kept? || machine.released? }
      left -= provider.keep(left) if test_run.machines_for_next_run?
      provider.release_all(left).each do |machine, failure|
        record_event :warning, "#{machine.name} is not released yet: #{failure.message}", machine: machine
      end
    end

    def clear_up
      if archive.attached?
        FileUtils.rm_rf spool.dirname
      else
        record_event :missing, "There is no zip. What was collected stays in #{spool}"
      end
    end

    # Advice that was given during the run refers to a zip that is still to come.
    def correct_advice
      if test_run.advice&.include?("zip") && !archive.attached?
        test_run.advice = "There is no zip of this run. What was collected stays in #{spool}; " \
          "the timeline says what is missing, and why."
      end
    end

    def missing
      events.where(name: "missing").pluck(:message)
    end

    def outcome
      case
      when test_run.error?        then "failed"
      when test_run.cancelled_at? then "cancelled"
      when missing.present?       then "failed"
      else "finished"
      end
    end

    def complain_of_missing
      if test_run.failed? && !test_run.error?
        test_run.assign_attributes failed_phase: "collecting", error: missing.join("; ").truncate(5_000),
          advice: "What could be collected is in the zip. The timeline says what is missing."
      end
    end
end
