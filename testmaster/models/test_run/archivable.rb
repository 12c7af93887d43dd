# test_run_<id>.zip: everything from which the run can be understood, and reported on, without the Testmaster.
module TestRun::Archivable
  private
    def archive_logs
      return if archive.attached?

      files = collect_files
      Tempfile.create([ "test_run", ".zip" ], binmode: true) do |zip|
        attended { TestRun::Archive.new(self, files, extras).write_to zip }
        zip.rewind
        archive.attach io: zip, filename: "test_run_#{id}.zip", content_type: "application/zip", identify: false
      end
      record_event :collected, "#{files.size} files collected, #{ActiveSupport::NumberHelper.number_to_human_size(archive.byte_size)} zipped"
    end

    # What cannot be had is missed and noted.
    def collect_files
      fetched = side_by_side(machines_in_hand) { |machine| fetch_from machine }
      fetched.flat_map do |machine, (items, failure)|
        attempt("collect the logs of #{machine.name}") { raise failure } if failure
        items
      end
    end

    # [ items, what kept the others ]
    def fetch_from(machine)
      kept, fetched = machine.fetch_logs(spool).partition { |_, result| result.is_a?(Failure) }
      [ fetched.map { |file, path| TestRun::Archive::Item.new(machine.name, file, path) }, incomplete(kept, fetched) ]
    rescue Failure => failure
      [ [], failure ]
    end

    def incomplete(kept, fetched)
      files = kept.map { |file, _| file.path }
      Failure.new "#{files.size} of #{files.size + fetched.size} files are missing (#{files.first(5).join(", ")}#{", …" if files.size > 5}): #{kept.first.last.message}" if files.any?
    end

    def extras
      [ "database.csv", *TestRun::Database::Readings::COUNTERS.keys ].index_with { |name| spool.join(name) }.select { |_, path| path.exist? }
    end
end
