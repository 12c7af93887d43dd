# Which revision of the repository a run is made with.
module TestRun::Revised
  extend ActiveSupport::Concern

  included { validate :revision_can_be_asked_for, if: :revision? }

  private
    def revision_can_be_asked_for
      complaint = Build::Source.complaint_about(revision)
      errors.add :revision, complaint if complaint
    end
end
