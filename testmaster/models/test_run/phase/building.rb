# Builds the revision of the run if that is not done yet. It needs only the definition. Performed again, it waits for a
# build that is running and uses one that is ready.
class TestRun::Phase::Building < TestRun::Phase
  def perform
    test_run.update! build: Build.of(test_run.revision) unless build&.ready?(system)
    build.note_use
    before = built_before?
    record_event :building, "Building #{build.short_version}" unless before
    build.perform(system) { check_cancellation }
    record_event :built, before ? "#{build.short_version} was built before" : "Built #{build.short_version}"
    enter_next
  end

  private
    delegate :build, to: :test_run

    def built_before?
      build.ready?(system) || !build.needs_work?(system)
    end
end
