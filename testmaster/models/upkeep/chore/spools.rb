require "find"

# Deletes files between the machines of runs and their zips that collecting could not delete.
class Chore::Spools < Chore
  self.title, self.thing = "Files of runs outside their zips", "folders"
  self.words = "Files of runs that ended without a zip or are deleted, copies that bin/demo made, and files that a " \
    "killed worker left. The timeline of a run says so."
  self.usual_days = 30

  # The pattern matches the names that Dir.mktmpdir and Tempfile create for us. Other files, such as backups, may have
  # the same beginning.
  TEMPORARY = /\A(testmaster-|test_run)\d{8}-\d+-[0-9a-z]+(\.zip)?\z/

  def folders
    [ Rails.configuration.x.run_root, demo ]
  end

  private
    def demo
      Rails.root.join("tmp/demo")
    end

    def clear
      each_of(Rails.configuration.x.run_root.glob("run_*")) { |folder| clear_run folder }
      each_of(demo.glob("test_run_*")) { |folder| remove_folder folder if untouched?(folder) }
      each_of(Pathname(Dir.tmpdir).children.select { |path| path.basename.to_s.match?(TEMPORARY) }) do |left|
        remove_folder left if left.owned? && !left.symlink? && untouched?(left)
      end
    end

    # Another Testmaster of this checkout may have an active run of the same number, so only old files are deleted.
    def clear_run(folder)
      run = TestRun.find_by(id: folder.basename.to_s[/\Arun_(\d+)\z/, 1])
      return if run && (!run.ended? || run.machines.held.any?) || !untouched?(folder)

      run&.note_spool_deleted kept_days
      remove_folder folder
    end

    def untouched?(path)
      Find.find(path.to_s).none? { |found| File.lstat(found).mtime >= limit }
    end
end
