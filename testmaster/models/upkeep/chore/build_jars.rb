# Deletes jars of revisions and copies of repositories that no run has used for a long time.
class Chore::BuildJars < Chore
  self.title, self.thing = "Builds", "folders or rows"
  self.words = "Jars that no run has used since then. The next run that needs one builds it again. The log of a " \
    "build stays as long as a run or an experiment has it."
  self.tables = %w[ builds ]
  self.usual_days = 30

  CUT_OFF = 1.day # age of sources that a killed build has left

  def folders
    [ root ]
  end

  private
    def root
      Rails.configuration.x.build_root
    end

    def clear
      delete_rows unused_builds
      each_of(folders_in(root) - [ repositories ]) { |folder| clear_out folder, folder.join(".lock") }
      each_of(folders_in(repositories)) { |folder| clear_out folder, folder }
    end

    def repositories
      root.join("repositories")
    end

    def folders_in(folder)
      folder.directory? ? folder.children.select { |path| path.directory? && !path.symlink? } : []
    end

    # A process that builds or fetches there holds the lock.
    def clear_out(folder, lock)
      used_at = [ folder, folder.join("FETCH_HEAD") ].select(&:exist?).map(&:mtime).max
      lock.write "" unless lock.exist?
      lock.open do |file|
        next unless file.flock(File::LOCK_EX | File::LOCK_NB)

        if used_at < limit && !wanted?(folder)
          remove_folder folder
        else
          folder.glob("source-*").each { |left| remove_folder left if left.mtime < CUT_OFF.ago }
        end
      end
    end

    def wanted?(folder)
      builds = Build.where(tree: folder.basename.to_s)
      TestRun.at_work.where(build_id: builds).exists? || Experiment.at_work.where(build_id: builds).exists?
    end

    def unused_builds
      Build.where(updated_at: ..limit).where.not(state: "processing")
        .where.not(id: TestRun.where.not(build_id: nil).select(:build_id))
        .where.not(id: Experiment.where.not(build_id: nil).select(:build_id))
    end
end
