# Measures how much disk a kind of data needs, in the job, so that no page waits for it.
module Chore::Measured
  PATIENCE = 60 # seconds, enough for the expected number of files

  # Counts all readable files below the paths; returns nil if it takes too long.
  def self.bytes_of(paths)
    paths = paths.select { |path| File.exist?(path) }.map(&:to_s)
    return 0 if paths.empty?

    said, status = Open3.capture2("timeout", PATIENCE.to_s, "du", "-skc", "--", *paths, err: File::NULL)
    said.lines.last.to_i.kilobytes unless status.exitstatus == 124
  end

  def measure
    update_columns bytes: size, measured_at: Time.current
  end

  # Returns a text such as "samples, test_run_readings" or "tmp/builds".
  def places
    [ *tables, *folders.map { |folder| Chore::Measured.shown(folder) } ]
  end

  # A path within the checkout is shown relative to it.
  def self.shown(path)
    path.to_s.delete_prefix("#{Rails.root}/")
  end

  private
    def size
      in_folders = Chore::Measured.bytes_of(folders)
      in_folders && in_folders + size_of_tables
    end

    # Sizes include indexes. PostgreSQL reuses the space of deleted rows but does not release it.
    def size_of_tables
      tables.sum do |table|
        self.class.connection.select_value("SELECT pg_total_relation_size(#{self.class.connection.quote(table)})").to_i
      end
    end
end
