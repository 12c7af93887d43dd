module TestRun::Buildable
  extend ActiveSupport::Concern

  included do
    delegate :jar, to: :build
    validate :revision_can_be_asked_for, if: :revision?
  end

  private
    def revision_can_be_asked_for
      complaint = Build::Source.complaint_about(revision)
      errors.add :revision, complaint if complaint
    end

    def make_build
      update! build: Build.of(revision) unless build&.ready?
      if build.ready? || !build.needs_work?
        build.perform { heed_cancellation }
        record_event :built, "#{build.short_version} was built before"
      else
        record_event :building, "Building #{build.short_version}"
        build.perform { heed_cancellation }
        record_event :built, "Built #{build.short_version}"
      end
      enter "deploying"
    end
end
