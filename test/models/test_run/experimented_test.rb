require "test_helper"

class TestRun::ExperimentedTest < ActiveSupport::TestCase
  include RunsHelper

  test "reads earlier runs past the query cache" do
    experiment = Experiment.from_definition(build_run(**TWO_OF_EACH).to_definition.merge("experiment" => { "factors" =>
      [ { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => [ 1, 2 ] } ] }))
    experiment.update! state: "running", creator: users(:experimenter), launched_at: Time.current
    earlier, present = %w[ collecting running ].map.with_index(1) do |state, n|
      experiment.run_at(experiment.points[n - 1].levels, "point #{n}").tap do |run|
        run.update! experiment: experiment, point: experiment.points[n - 1], repetition: 1, attempt: 1, state: state
      end
    end

    TestRun.cache do
      assert_not_predicate present, :quiet?
      execute_past_cache "UPDATE test_runs SET state = 'finished', figures = '{\"examined\": true}' " \
        "WHERE id = #{earlier.id}"
      assert_predicate present, :quiet?
    end
  end

  private
    # Updates as another process does, which leaves the query cache of this one untouched.
    def execute_past_cache(sql)
      TestRun.connection.raw_connection.exec sql
    end
end
