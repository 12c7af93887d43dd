# The revision of the repository with which a run is made.
module TestRun::Revised
  # Returns the measured commit as a revision; nil if there is none, or if uncommitted files were measured.
  def measured_revision
    sha = build&.commit_sha
    return unless sha&.match?(Build::Source::SHA)

    Address::Repository === revision ? "#{Address::Repository.new(revision).url}##{sha}" : sha
  end

  # Returns a draft of the same name, so that it is compared with the same baseline. commit is "measured", or "head" for
  # what the revision then names.
  def again(commit)
    duplicate.tap do |copy|
      copy.name = name.gsub(/\p{Cntrl}+/, " ")
      copy.revision = measured_revision if commit == "measured" && measured_revision
    end
  end
end
