require "test_helper"
require "test_helpers/modelled_run"
require "minitest/mock"
require "testmaster/experiment"

class ExperimentsControllerTest < ActionDispatch::IntegrationTest
  include ActiveJob::TestHelper, ModelledRun

  BEARER = { "Authorization" => "Bearer tm_a_token_of_the_tests" }
  BASE = "name: Workers\nduration: 10s\nbrokers: [ { scenario: Broker } ]\n" \
    "clients: [ { scenario: OneWayClient, clients: 4 } ]\n"
  FACTOR = { name: "workers", unit: "", paths: "brokers.0.settings.workers", levels: "2, 4" }
  RUN = { name: "Workers", duration: "10s", broker_groups_attributes: { "0" => { scenario: "Broker" } },
    client_groups_attributes: { "0" => { scenario: "OneWayClient", client_count: "4" } } }
  FORM = { design: "2k", repetitions: "2", until: "", at_most: "", order: "listed", seed: "7", again: "1",
    start: "fresh", response: "mean", generators: "", points: "", factors: [ FACTOR,
      { name: "clients", unit: "", paths: "clients.0.clients = 5, 10\nclients.0.jvms = 1, 2", levels: "5, 20" } ] }

  setup { sign_in_as users(:experimenter) }

  test "predicts other points, or gives the reason" do
    workers = { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => [ 2, 4 ] }
    experiment = modelled_experiment(workers)
    get experiment_path(experiment)
    assert_select "form[action='#{experiment_predictions_path experiment}'] option", 2
    post experiment_predictions_path(experiment), params: { run_id: experiment.test_runs.first.id }
    assert_redirected_to test_run_predictions_path(experiment.test_runs.first)
    follow_redirect!
    assert_select ".note, [role=status]", /1 point of Known is predicted from this run/

    alone = modelled_experiment(workers, but: [ 2 ])
    get experiment_path(alone)
    assert_select "form[action='#{experiment_predictions_path alone}']", 0
    post experiment_predictions_path(alone, format: :json), params: { run_id: alone.test_runs.sole.id }
    assert_response :unprocessable_entity
    assert_match "no accepted run of another point", response.parsed_body["errors"].sole
    [ test_runs(:running).id, "../../etc/passwd", [ "1" ], nil ].each do |wrong|
      post experiment_predictions_path(alone, format: :json), params: { run_id: wrong }
      assert_response :unprocessable_entity
      assert_equal "Run id must be the number of a run of this experiment", response.parsed_body["errors"].sole
    end
  end

  test "tells effects in words, and folds the table" do
    experiment = made
    experiment.create_evaluation! state: "completed", runs: 3, response: "throughput", completed_at: Time.current,
      results: { "effects" => [
        { "name" => "workers", "effect" => 12.5, "low" => 9.0, "high" => 16.0, "share" => 0.8,
"within_noise" => false },
        { "name" => "workers x clients", "effect" => -3.0, "low" => -5.0, "high" => -1.0, "share" => 0.1,
          "within_noise" => false } ] }
    get experiment_path(experiment)
    assert_equal [ "4 workers instead of 2: +25.0 /s (18.0 to 32.0).",
      "The effects of workers and clients depend on one another." ], css_select(".findings li").map(&:text)
    assert_select "details th", "95 % interval of the effect"

    experiment.evaluation.update! results: { "effects" => [ { "name" => "workers", "effect" => 12.5, "share" => 0.8,
      "levels" => [ 1, 2 ] } ] }
    get experiment_path(experiment)
    assert_select ".findings li", "2 workers instead of 1: +25.0 /s."

    experiment.evaluation.update! results: { "response" => "throughput [1/s]",
      "effects" => [ { "name" => "workers", "effect" => 12.5, "share" => 0.8, "levels" => [ 1, 2 ] } ],
      "other" => { "response" => "mean [ms]", "effects" => [ { "name" => "workers", "effect" => -2.5,
        "share" => 0.6 } ] },
      "signs" => { "terms" => [ "workers" ], "points" => [ { "point" => 1, "signs" => [ -1 ] },
        { "point" => 2, "signs" => [ 1 ] } ] } }
    get experiment_path(experiment)
    assert_select "details th", /Effect on mean \[ms\]/
    assert_select "details td", /\A−2.5/
    assert_select ".signs th", "mean [ms]"
    assert_equal %w[ −1 +1 ], css_select(".signs tbody td:nth-child(2)").map(&:text)

    experiment.evaluation.update! results: { "effects" => [ { "name" => "workers", "f" => 0.5, "p" => 0.7,
      "share" => 0.01, "within_noise" => true } ] }
    get experiment_path(experiment)
    assert_select ".findings li", "workers: no effect seen."
    assert_select "details th", "F"
    assert_select "details th", "p"
  end

  test "an experiment from a run at fixed rates compares response times" do
    run = test_runs(:draft)
    { { "rate" => "50/s" } => "p99", {} => "throughput" }.each do |settings, response|
      run.client_groups.each { |group| group.settings = settings }
      run.save!
      get new_experiment_path(test_run_id: run)
      assert_select "select[name='experiment[response]'] option[selected][value=?]", response
    end
  end

  test "a draft keeps the password of its database, which the form does not show" do
    at_an_address = RUN.merge(database_kind: "url", database_url: "postgresql://mlmq:sesame@db.example/x")
    post experiments_path, params: { test_run: at_an_address, experiment: FORM }
    draft = Experiment.last
    get edit_experiment_path(draft)
    assert_no_match "sesame", response.body
    assert_select "input[name='test_run[database_url]'][value='postgresql://mlmq@db.example/x']"

    patch experiment_path(draft), params: { test_run: at_an_address.merge(duration: "20s",
      database_url: "postgresql://mlmq@db.example/x"), experiment: FORM }
    run = Experiment.find(draft.id).run_at(draft.reload.points.first.levels)
    assert_equal [ "postgresql://mlmq:sesame@db.example/x", 20 ], [ run.database, run.duration ]
  end

  test "the form offers settings by their labels, and ignores what it hides" do
    get new_experiment_path
    assert_select "select option[value='brokers.0.settings.workers'][selected]", "Workers"
    assert_select "optgroup[label='Client group 1'] option[value='clients.0.settings.rate']", "Rate"

    factor = { setting: "brokers.0.settings.workers", levels: "2, 4", name: "", unit: "", paths: "" }
    post experiments_path, params: { test_run: RUN, experiment: FORM.merge(kind: "factors", factors: [ factor ],
      find: { path: "clients.0.settings.rate", from: "100/s", to: "200/s" }) }
    assert_equal [ [ "workers", [ 2, 4 ] ] ], Experiment.last.factors.map { |it| [ it.name, it.levels ] }

    post experiments_path, params: { test_run: RUN, experiment: FORM.merge(kind: "find", factors: [ factor ],
      find: { path: "clients.0.settings.rate", from: "100/s", to: "200/s", until: "errors = 0", within: "5 %" }) }
    assert_predicate Experiment.last, :find?
  end

  test "a search that holds to the end of its range offers to go beyond it" do
    experiment = Experiment.from_definition(YAML.safe_load(BASE).merge("experiment" => { "find" => {
      "rate" => "100/s..1000/s", "until" => [ "errors = 0" ], "by" => "runs" } }))
    experiment.update! state: "finished", creator: users(:experimenter), launched_at: 1.minute.ago,
      ended_at: Time.current
    search, answer = experiment.search, { "holds" => 1000.0, "breaks" => nil, "confirmed" => true }
    search.stub(:answer, answer) { assert_equal 1000.0, search.end_of_range }
    search.stub(:answer, answer.merge("breaks" => 900.0)) { assert_nil search.end_of_range }
    search.stub(:answer, answer.merge("confirmed" => false)) { assert_nil search.end_of_range }

    get new_experiment_path(beyond: experiment)
    assert_select "input[name='experiment[find][from]'][value='1000/s']"
    assert_select "input[name='experiment[find][to]'][value='10000/s']"
  end

  test "a save does not change an experiment that was launched meanwhile" do
    post experiments_path(format: :json), params: { test_run: RUN, experiment: FORM }
    experiment, launched = Experiment.last, nil
    loaded = ->(*, payload) do
      if payload[:class_name] == "Experiment" && launched.nil?
        launched = false
        launched = Experiment.find(experiment.id).launch
      end
    end

    ActiveSupport::Notifications.subscribed loaded, "instantiation.active_record" do
      patch experiment_path(experiment, format: :json),
        params: { test_run: RUN, experiment: FORM.merge(repetitions: "7") }
    end

    assert launched
    assert_response :conflict
    assert_equal 2, experiment.reload.repetitions
  end

  test "the form shows the runs, saves a draft, launches it" do
    get new_experiment_path
    assert_select "select[name='test_run[client_groups_attributes][0][scenario]'] option[selected]", "OneWayClient"
    assert_select "turbo-frame#estimate tbody tr", 9

    post experiment_estimate_path, params: { test_run: RUN, experiment: FORM }
    assert_select "dd", "8"
    assert_select "tbody tr:nth-child(2) td.num", "2"
    assert_no_difference -> { Experiment.count } do
      wrong = FACTOR.merge(paths: "brokers.0.settings.wrkers")
      post experiments_path, params: { test_run: RUN, experiment: FORM.merge(factors: [ wrong ]), launch: 1 }
      assert_response :unprocessable_entity
      assert_select "[role=alert]", /wrkers is not in the definition; did you mean brokers.0.settings.workers\?/
      assert_select "textarea", /wrkers/
      post experiments_path, params: { test_run: RUN.merge(duration: "soon"), experiment: FORM, launch: 1 }
      assert_select "[role=alert]", /Load lasts \(duration\) must be from 1s to 24h/
      assert_select "input[name='test_run[duration]'][value=soon]"
    end

    post experiments_path, params: { test_run: RUN, experiment: FORM }
    draft = Experiment.last
    assert_redirected_to edit_experiment_path(draft)
    follow_redirect!
    assert_select "textarea", /clients.0.clients = 5, 10/
    patch experiment_path(draft), params: { test_run: RUN, experiment: FORM.merge(design: "points",
      points: "workers 2, clients 5\nworkers 4, clients 20") }
    assert_equal [ [ 2, 5 ], [ 4, 20 ] ], draft.reload.points.map { |point|
 point.levels.values_at("workers", "clients") }
    patch experiment_path(draft), params: { seen: 1.minute.ago.utc.iso8601(6), test_run: RUN, experiment: FORM }
    assert_select "[role=alert]", /This draft was saved elsewhere/
    patch experiment_path(draft), params: { seen: css_select("input[name=seen]").first["value"], test_run: RUN,
      experiment: FORM.merge(repetitions: "", until: "mean +- 5 %"), launch: 1 }
    assert_redirected_to experiment_path(draft)
    assert_equal [ "running", "mean +- 5 %", 10, 4 ],
      [ draft.reload.state, draft.tightness, draft.at_most, draft.points.size ]
    get edit_experiment_path(draft)
    assert_redirected_to experiment_path(draft)
    assert_equal [ "launched", "experiment Workers" ], AuditEntry.last.values_at(:action, :subject)
  end

  test "the page sorts points and explains rejected runs" do
    experiment = made
    get experiment_path(experiment)
    assert_select ".state", /Running, 2 of 4/
    assert_select ".points tbody tr", 2
    assert_select ".points tbody tr:first-child .num", /1,000 ±1,271/
    assert_select ".points tbody tr:last-child .why", /no accepted run of 1: The check “Steady state” failed/
    assert_select ".order a", 3

    experiment.test_runs.last.update! figures: { "examined" => true, "rate" => { "value" => 2000 }, "checks" => GOOD }
    get experiment_path(experiment, sort: "-throughput")
    assert_select ".points tbody tr:first-child .number", "2"
    get experiment_path(experiment, sort: "nonsense", figure: "nonsense")
    assert_response :success
    get experiment_point_path(experiment, 1)
    assert_select "h1", "workers 2"
    assert_select "td", "1,000"
    get experiment_point_path(experiment, 9)
    assert_response :not_found

    get experiment_path(experiment, format: :csv)
    assert_match(/^\d+,1,1,accepted,,2,900.0,/, response.body)
    get experiment_path(experiment, format: :report)
    assert_match "attachment", response.headers["Content-Disposition"]
    assert_select "link, script", 0
    post experiment_evaluation_path(experiment), params: { response: "p99" }
    assert_equal [ "pending", "p99" ], experiment.reload.evaluation.then { |it| [ it.state, it.response ] }
    post experiment_evaluation_path(experiment), params: { response: "speed" }
    assert_match "response must be one of", flash[:alert]
    get test_runs_path(experiment: experiment.id)
    assert_select ".runs tbody tr", 3
    get experiments_path
    assert_select "tbody tr", 1
    assert_select "details a", Example.experiments.size
  end

  test "a percentile among failed requests in one run has a reason instead of a mean" do
    experiment = made(figures: [
      { "exact" => { "throughput" => 900.0, "mean" => 2_000, "p99" => 10_000 }, "ok" => 900, "errors" => 0 },
      { "exact" => { "throughput" => 700.0, "mean" => 3_000, "at_least" => { "p99" => 1_000_000 } }, "ok" => 700,
        "errors" => 70 },
      { "exact" => { "throughput" => 800.0, "mean" => 2_500, "p99" => 30_000 }, "ok" => 800, "errors" => 0 } ])
    reason = "among failed requests in 1 of 2"
    assert_equal [ 2, 1 ], experiment.points_by("p99").map(&:number)
    assert_nil experiment.best_point("p99")

    get experiment_path(experiment, figure: "p99")
    assert_select ".points tbody tr:first-child [data-is=p99]", reason
    assert_select ".points tbody tr:first-child [data-is=throughput]", /800/
    get experiment_point_path(experiment, 1)
    assert_select "tr", /p99\s+ms\s+#{reason}/
    get experiment_path(experiment, format: :report)
    assert_select "td", reason
    get experiment_path(experiment, format: :json)
    assert_equal({ "mean" => nil, "low" => nil, "high" => nil, "n" => 0, "reason" => reason },
      response.parsed_body.dig("points", 0, "figures", "p99 [ms]"))
    assert_match reason, Testmaster::Experiment.new(response.parsed_body).lines(sort: "p99").join("\n")
  end

  test "shows the time to drain of a load with phases, and which point did not drain" do
    experiment = made(figures: [
      { "exact" => { "throughput" => 900.0, "backlog" => 400, "drain" => 2_500_000 }, "ok" => 900, "errors" => 0 },
      { "exact" => { "throughput" => 900.0, "backlog" => 700, "at_least" => { "drain" => 9_000_000 } }, "ok" => 900,
        "errors" => 0 },
      { "exact" => { "throughput" => 800.0, "backlog" => 300, "drain" => 1_500_000 }, "ok" => 800, "errors" => 0 } ])

    get experiment_path(experiment, figure: "drain")
    assert_select ".points [data-is=drain]", "not drained in 1 of 2"
    assert_select ".points [data-is=drain]", "1.50"
    assert_select ".points [data-is=backlog]", /550/
  end

  test "shows the copies of messages and their loss where topics were used" do
    told = { "throughput" => 900.0, "copies" => 9.96, "lost" => 0.5, "subscribe_rate" => 80.0, "subscribe_p50" => 900 }
    experiment = made(figures: [ {}, told ].map { |it| { "exact" => told.merge(it), "ok" => 900, "errors" => 0 } })

    get experiment_path(experiment)
    assert_select ".points [data-is=copies]", /9\.96/
    assert_select ".points [data-is=lost]", /0\.5/
    assert_select ".points [data-is=subscribe_rate]", /80/
    assert_select ".points [data-is=first_p99]", false
    experiment.update! response: "subscribe_rate"
    get experiment_path(experiment, format: :json)
    assert_match "subscribe_rate [1/s]", Testmaster::Experiment.new(response.parsed_body).lines.join("\n")
  end

  test "tells each operation at each point" do
    told = { "throughput" => 450.0, "mean" => 2_000.0, "stddev" => 700.0, "p50" => 1_900.0, "p99" => 4_000.0 }
    empty = told.merge("mean" => 1_000.0)
    experiment = made(figures: [ { "sendMessage" => told, "dequeueMessage:empty" => empty },
      { "sendMessage" => told.merge("mean" => 3_000.0) }, {} ].map { |operations|
        { "exact" => { "throughput" => 900.0 }, "ok" => 900, "errors" => 0, "operations" => operations } })

    get experiment_path(experiment)
    assert_equal [ "dequeueMessage, found none", "sendMessage" ],
      css_select("#operations-title").first.ancestors("section").first.css("summary").map(&:text)
    assert_select "section[aria-labelledby=operations-title] td", /\A2\.50 ±/
    assert_select "section[aria-labelledby=operations-title] td", "1.00"

    get experiment_path(experiment, format: :csv)
    first, second, third = CSV.parse(response.body, headers: true).sort_by { |row| row["run"].to_i }
    assert_equal [ "450.0", "2.0", "0.7", "1.9", "4.0" ], [ "throughput [1/s]", "mean [ms]", "stddev [ms]", "p50 [ms]",
      "p99 [ms]" ].map { |figure| first["sendMessage #{figure}"] }
    assert_equal [ "1.0", nil, nil ], [ first, second, third ].map { |row| row["dequeueMessage:empty mean [ms]"] }
    assert_not_includes experiment.table.first, "sendMessage mean [ms]", "the log analyzer has no use for them"
  end

  test "tells each stage of a request at each point" do
    experiment = made(figures: [ [ [ "network and client", 900.0 ], [ "worker", 2_000.0 ] ],
      [ [ "network and client", 1_100.0 ], [ "request queue", 500.0 ], [ "worker", 3_000.0 ] ], nil ].map { |stages|
        { "exact" => { "throughput" => 900.0 }, "ok" => 900, "errors" => 0, "stages" => stages }.compact })

    get experiment_path(experiment)
    section = css_select("#stages-title").first.ancestors("section").first
    assert_equal [ "Network and client", "Request queue", "Worker" ], section.css("summary").map(&:text)
    assert_select "section[aria-labelledby=stages-title] td", /\A2\.50 ±/
    assert_select "section[aria-labelledby=stages-title] td", /\A0\.250 ±/

    get experiment_path(experiment, format: :csv)
    rows = CSV.parse(response.body, headers: true).sort_by { |row| row["run"].to_i }
    assert_equal [ "0.9", "1.1", nil ], rows.map { |row| row["network and client mean [ms]"] }
    assert_equal [ "0.0", "0.5", nil ], rows.map { |row| row["request queue mean [ms]"] }
  end

  test "a matrix has the reason in place of a mean" do
    experiment = made("clients" => [ 3, 4 ], figures: [ { "exact" => { "throughput" => 7.0 }, "ok" => 1,
      "errors" => 1 } ] * 3)
    get experiment_path(experiment, figure: "p99")
    assert_select ".matrix .point .hint", /among failed requests in 2 of 2/
  end

  test "a level of a search shows the state of its tries" do
    experiment = Experiment.from_definition(YAML.safe_load(BASE).merge("experiment" => { "find" => {
      "rate" => "100/s..800/s", "until" => [ "p99 < 50 ms" ] } }))
    experiment.update! state: "running", creator: users(:experimenter), launched_at: 1.minute.ago
    run = experiment.run_of_steps.tap { |it| it.update! experiment: experiment, attempt: 1, state: "running" }
    point, = experiment.search.next_try
    get experiment_path(experiment)
    assert_select ".points .why", "not tried yet"

    tried = run.tries.create! point: point, repetition: 1, measured_from: 1.second.ago, measured_to: 10.seconds.from_now
    get experiment_path(experiment)
    assert_select ".points .why", "being measured"

    tried.update! state: "judged"
    run.update! state: "finished", figures: { "examined" => true, "checks" => REJECTED }
    get experiment_path(experiment)
    assert_select ".points .why", "no try that counts yet"
  end

  test "the page of an active search writes nothing" do
    experiment = Experiment.from_definition("name" => "Highest", "brokers" => [ { "scenario" => "Broker" } ],
      "clients" => [ { "scenario" => "OneWayClient" } ], "experiment" => { "find" => { "rate" => "100/s..400/s",
        "until" => [ "errors = 0" ], "by" => "runs" } })
    experiment.update! creator: users(:experimenter), state: "running", launched_at: Time.current
    sign_in_as users(:viewer)

    assert_no_difference "Experiment::Point.count" do
      get experiment_path(experiment)
      assert_select "li", /next: point 1 \(rate 100\), 1st repetition/
    end
  end

  test "pauses, resumes, extends, cancels and deletes" do
    experiment = made
    post experiment_pause_path(experiment)
    assert_predicate experiment.reload, :paused?
    delete experiment_pause_path(experiment, format: :json), headers: BEARER
    assert_equal "running", response.parsed_body["state"]

    post experiment_point_skip_path(experiment, 2)
    assert_predicate experiment.points.last.reload, :skipped?
    get experiment_path(experiment)
    assert_select ".why", "skipped"
    delete experiment_point_skip_path(experiment, 2)
    assert_difference -> { experiment.points.first.reload.extra } do
      post experiment_point_rerun_path(experiment, 1)
    end
    post experiment_repetitions_path(experiment), params: { more: 3 }
    assert_equal 5, experiment.reload.repetitions
    post experiment_repetitions_path(experiment), params: { more: "many" }
    assert_match "more must be a whole number", flash[:alert]

    post experiment_levels_path(experiment), params: { factor: "workers", levels: "8, 16" }
    assert_equal [ 2, 4, 8, 16 ], experiment.reload.points.map { |point| point.levels["workers"] }
    { "8" => "there already", "9999" => "must be from 0", "" => "list of values" }.each do |levels, complaint|
      post experiment_levels_path(experiment, format: :json), params: { factor: "workers", levels: levels },
        headers: BEARER, as: :json
      assert_response :unprocessable_entity
      assert_match complaint, response.parsed_body["errors"].to_sentence
    end
    assert_equal [ 2, 4, 8, 16 ], experiment.reload.factors.sole.levels

    delete experiment_path(experiment)
    assert_match "is active", flash[:alert]
    post experiment_cancellation_path(experiment)
    perform_enqueued_jobs only: Experiment::AdvanceJob
    assert_predicate experiment.reload, :cancelled?
    assert_difference -> { Experiment.count } => -1, -> { TestRun.count } => 0 do
      delete experiment_path(experiment)
    end
  end

  test "programs launch and read experiments" do
    definition = YAML.load(BASE).merge("experiment" => { "factors" => [
      { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => [ 2, 4 ] } ] })
    post experiment_estimate_path(format: :json), params: { definition: definition }, headers: BEARER, as: :json
    assert_equal [ 2, 2 ], [ response.parsed_body["runs"], response.parsed_body["table"].size ]
    post experiments_path(format: :json), params: { definition: definition, launch: true }, headers: BEARER, as: :json
    assert_response :created
    id = response.parsed_body["id"]
    get experiment_path(id, format: :json), headers: BEARER
    assert_equal [ "running", 2, [ 1, 2 ] ], [ response.parsed_body["state"], response.parsed_body["runs_planned"],
      response.parsed_body["points"].pluck("point") ]
    get experiment_definition_path(id, format: :yml), headers: BEARER
    assert_equal "Workers", YAML.load(response.body)["name"]
    wrong = definition.deep_merge("experiment" => { "design" => "x" })
    post experiments_path(format: :json), params: { definition: wrong }, headers: BEARER, as: :json
    assert_match "design must be one of", response.parsed_body["errors"].first
    get experiments_path(format: :json), headers: BEARER
    assert_equal [ id ], response.parsed_body.pluck("id")
  end

  test "viewers read experiments and change nothing" do
    experiment = made
    sign_out
    sign_in_as users(:viewer)
    get experiment_path(experiment)
    assert_response :success
    assert_select ".steer form, form[action='#{experiment_pause_path(experiment)}']", 0
    [ experiments_path, experiment_estimate_path, experiment_pause_path(experiment),
      experiment_launch_path(experiment), experiment_cancellation_path(experiment),
      experiment_repetitions_path(experiment), experiment_levels_path(experiment),
      experiment_evaluation_path(experiment), experiment_point_skip_path(experiment, 1),
      experiment_point_rerun_path(experiment, 1) ].each do |path|
      post path
      assert_response :forbidden, path
    end
    delete experiment_path(experiment)
    assert_response :forbidden
    get new_experiment_path
    assert_response :forbidden
  end

  GOOD = [ { "verdict" => "good", "check" => "All" } ]
  REJECTED = [ { "verdict" => "rejected", "check" => "Steady state", "reason" => "the mean falls by 30 %" } ]

  private
    # Makes points with two repetitions: 900 and 1,100 at the first, a rejected run at the second. If there are figures,
    # they are those of the three runs, which are accepted.
    def made(figures: nil, **factors)
      experiment = Experiment.from_definition(YAML.load(BASE).merge("experiment" => { "again" => 0, "repetitions" => 2,
        "factors" => [ { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => [ 2, 4 ] },
          *factors.map { |name, levels| { "name" => name, "path" => "clients.0.#{name}", "levels" => levels } } ] }))
      experiment.creator = users(:experimenter)
      experiment.save!
      experiment.update! state: "running", launched_at: 1.minute.ago
      [ [ 0, 1, 900.0, GOOD ], [ 0, 2, 1100.0, GOOD ], [ 1, 1, 5.0, REJECTED ] ].each_with_index do |row, i|
        n, repetition, rate, checks = row
        run = experiment.run_at(experiment.points[n].levels, "point #{n}")
        run.update! experiment: experiment, point: experiment.points[n], repetition: repetition, attempt: 1,
          state: "finished", launched_at: 1.minute.ago, ended_at: Time.current
        run.update! figures: { "examined" => true, "checks" => figures ? GOOD : checks, "rate" => { "value" => rate },
          **figures.to_a[i].to_h }
      end
      experiment.reload
    end
end
