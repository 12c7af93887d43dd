# test_run_<id>.zip: everything from which the run can be understood, and reported on, without the Testmaster.
module TestRun::Archivable
  private
    def archive_logs
      return if archive.attached?

      files = collect_files
      Tempfile.create([ "test_run", ".zip" ], binmode: true) do |zip|
        TestRun::Archive.new(self, files, extras).write_to zip
        zip.rewind
        archive.attach io: zip, filename: "test_run_#{id}.zip", content_type: "application/zip", identify: false
      end
      record_event :collected, "#{files.size} files collected, #{ActiveSupport::NumberHelper.number_to_human_size(archive.byte_size)} zipped"
    end

    # { machine => [ [ LogFile, path of its compressed copy here ], … ] }; what cannot be had is missed and noted.
    def collect_files
      listed = side_by_side(machines_in_hand) { |machine| list_files machine }
      listed.flat_map { |machine, (files, failure)| attempt("collect the logs of #{machine.name}") { failure ? raise(failure) : files } || [] }
    end

    def list_files(machine)
      [ machine.compress_logs.map { |file| TestRun::Archive::Item.new(machine.name, file, machine.fetch(file, spool)) } ]
    rescue Failure => failure
      [ [], failure ]
    end

    def extras
      [ "database.csv", *TestRun::Database::Readings::COUNTERS.keys ].index_with { |name| spool.join(name) }.select { |_, path| path.exist? }
    end
end
