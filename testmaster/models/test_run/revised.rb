# Which revision of the repository a run is made with.
module TestRun::Revised
  # The commit that was measured, as a revision; nil where none was, or files that were not committed.
  def measured_revision
    sha = build&.commit_sha
    return unless sha&.match?(Build::Source::SHA)

    Address::Repository === revision ? "#{Address::Repository.new(revision).url}##{sha}" : sha
  end

  # A draft of the same name, so that it is compared with the same baseline. commit: "measured", or "head" for what
  # the revision is by then
  def again(commit)
    duplicate.tap do |copy|
      copy.name = name.gsub(/\p{Cntrl}+/, " ")
      copy.revision = measured_revision if commit == "measured" && measured_revision
    end
  end
end
