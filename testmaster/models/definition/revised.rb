# Resolves the revision of the repository that is measured.
module Definition::Revised
  extend ActiveSupport::Concern

  included { validate :revision_can_be_asked_for, if: -> { revision.present? } }

  # Returns the version that the revision names now.
  def present_version
    Build::Source.present_version(revision)
  end

  private
    def revision_can_be_asked_for
      complaint = Build::Source.complaint_about(revision)
      errors.add :revision, complaint if complaint
    end
end
