module TestRun::Buildable
  delegate :jar, to: :build

  private
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
