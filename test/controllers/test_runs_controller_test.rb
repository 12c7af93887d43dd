require "test_helper"
require "testmaster/report"
require "minitest/mock"

class TestRunsControllerTest < ActionDispatch::IntegrationTest
  setup { sign_in_as users(:experimenter) }

  test "the list shows state, mix and reason of failure" do
    Worker.stub(:running?, true) { get test_runs_path }

    assert_select "tr", count: TestRun.count + 1
    assert_select "##{dom_id test_runs(:running), :row} .state[data-state=running]", "Running"
    assert_select "##{dom_id test_runs(:failed), :row} .why", /port 8100 is taken/
  end

  test "every verdict of a check has its shape and word" do
    test_runs(:finished).update! figures: {
      "examined" => true,
      "checks" => %w[ good warning rejected unknown ].map do |verdict|
        { "verdict" => verdict, "check" => "Steady state", "reason" => "too short to tell" }
      end
    }
    get test_run_path(test_runs(:finished))

    assert_select "#checks-title + p", "1 of 4 not passed, 1 warning"
    assert_equal [ "Passed", "Warning", "Rejected", "Unknown" ],
      css_select("section[aria-labelledby=checks-title] .state").map(&:text)
  end

  test "shows a percentile among failed requests as such" do
    run = test_runs(:finished)
    run.update! thresholds: [ "p99 < 500 ms" ], figures: { "examined" => true, "seconds" => 90,
      "rate" => { "value" => 335 }, "p99" => { "value" => 9_000 }, "ok" => 98_000, "errors" => 2_000,
      "exact" => { "p50" => 990, "p95" => 5500, "max" => 4_000, "mean" => 1000, "count" => 98_000,
        "at_least" => { "p99" => 1_000_000 } }, "checks" => [] }
    get test_run_path(run)
    assert_select "dl.figures", /Response time, p99[[:space:]]*> 1,000[[:space:]]*ms/
    assert_match "p99 was among requests that failed, but must be below 500 ms.", response.body

    Worker.stub(:running?, true) { get test_runs_path }
    assert_select "##{dom_id run, :row}", /> 1,000[[:space:]]*ms/
  end

  test "shows the highest backlog and the time to drain" do
    run = test_runs(:finished)
    exact = { "p50" => 990, "p95" => 5500, "p99" => 9_000, "max" => 9_900, "mean" => 1000, "count" => 98_000,
      "throughput" => 1_089, "backlog" => 5_900, "drain" => 14_200_000 }
    told = { "examined" => true, "seconds" => 90, "rate" => { "value" => 1_089 }, "ok" => 98_000, "errors" => 0 }
    run.update! figures: told.merge("exact" => exact)
    get test_run_path(run)
    assert_select "dl.figures", /Highest backlog[[:space:]]*5,900[[:space:]]*messages/
    assert_select "dl.figures", /Time to drain[[:space:]]*14\.2[[:space:]]*s/

    run.update! figures: told.merge("exact" => exact.except("drain").merge("at_least" => { "drain" => 30_000_000 }))
    get test_run_path(run)
    assert_select "dl.figures", /Time to drain[[:space:]]*> 30\.0[[:space:]]*s[[:space:]]*not drained by the end/
  end

  test "shows the copies of messages, their loss, and how long subscriptions and their first messages took" do
    run = test_runs(:finished)
    run.update! figures: { "examined" => true, "seconds" => 90, "rate" => { "value" => 335 }, "ok" => 98_000,
      "errors" => 0, "checks" => [], "exact" => { "mean" => 1_000, "max" => 9_900, "count" => 98_000,
        "copies" => 9.98, "lost" => 0.02, "subscribe_rate" => 812.5, "subscribe_p50" => 900, "subscribe_p99" => 7_000,
        "first_p50" => 56_000, "first_p99" => 410_000, "first_max" => 512_000, "first_count" => 320 } }
    get test_run_path(run)

    { "Copies of a message" => "9.98 copies", "Copies lost" => "0.020 %", "Rate of subscribing" => "813 /s",
      "Subscribing, p99" => "7.0 ms", "To the first message, longest" => "512.0 ms",
      "To the first message, p50" => "56.0 ms of 320 subscriptions made under load" }.each do |title, value|
      assert_select "dl.figures", /#{title}[[:space:]]*#{Regexp.escape(value).gsub("\\ ", "[[:space:]]*")}/m
    end
  end

  test "shows the figures of each phase of the load, and from when it recovered" do
    run = test_runs(:finished)
    row = { "phase" => "outage", "begin" => 15.0, "seconds" => 20.0, "sent" => 300, "received" => 0, "p99" => 2_500,
      "mean" => 900, "e2e_p99" => nil, "errors" => 0, "throughput" => 300, "backlog" => 6_000, "left" => 6_000,
      "drain" => 14_200_000, "recovery" => nil }
    after = row.merge("phase" => "after the outage of all", "begin" => 35.0, "drain" => nil)
    run.update! figures: run.figures.merge("phases" => [ row, after ])
    get test_run_path(run)

    assert_select "section", /Phases of the load\s*Time to drain counts from the end of outage, 0:35 of the load/
    assert_select ".load-phases tbody tr", count: 2
    assert_select ".load-phases td[data-is='p99 ms']", text: "2.5", count: 2
    assert_select ".load-phases td[data-is='E2E p99 ms']", false, "no phase has it"
    get test_run_path(run, format: :json)
    lines = Testmaster::Report.new(response.parsed_body).lines
    assert_match(/\A  outage +15 s +20 s +300 +0 +300 +0\.90 +2\.50 +- +0\.00 +6000 +6000\z/,
      lines.find { |line| line.include? "  outage" })
    table = lines.select { |line| line.match?(/\A  (phase|outage|after the outage of all) /) }
    assert_equal [ 3, 1 ], [ table.size, table.map(&:size).uniq.size ], "names of any length keep the columns"
  end

  test "a run at work names the phase of its load" do
    run = test_runs(:running)
    run.update! load_starts_at: 5.seconds.ago
    run.record_event :load_phase, "Phase outage", number: 2
    get test_run_path(run)

    assert_select "#phases", /0:0\d of \d+:\d\d, phase outage, ends at about/
  end

  test "a form keeps phases of the load, and the duration that follows from them" do
    phases = "for: 10s, name: before\r\nfor: 5s"
    post test_runs_path, params: { test_run: form.merge(duration: "", load_phases: phases) }
    run = TestRun.last
    assert_equal [ { "for" => "10s", "name" => "before" }, { "for" => "5s" } ], run.load_phases
    assert_equal run.warmup + run.cooldown + 15, run.duration

    get edit_test_run_path(run)
    assert_select "textarea[name='test_run[load_phases]']", /for: 10s, name: before\s+for: 5s/
    assert_select "[name='test_run[duration]'][value]", false, "it would be refused once a phase changes"
    get test_run_definition_path(run, format: :yml)
    assert_equal run.to_definition["load"], YAML.load(response.body)["load"]
  end

  test "says how exactly the clocks are known by which messages were timed, and why a time is not told" do
    run = test_runs(:finished)
    run.update! figures: { "examined" => true, "seconds" => 90, "rate" => { "value" => 335 }, "ok" => 98_000,
      "errors" => 0, "checks" => [], "exact" => { "p99" => 9_000, "max" => 9_900, "mean" => 1_000, "count" => 98_000,
        "e2e_p99" => 27_300, "e2e_p99_low" => 24_000, "e2e_p99_high" => 31_000, "e2e_p99_clock_error" => 2_300,
        "ack_p50" => 4_000, "untold" => { "e2e_p50" => "the clocks were not compared" } } }
    get test_run_path(run)

    assert_select "dl.figures", /End to end, p99[[:space:]]*27.3[[:space:]]*ms.*clocks known to ±2.3 ms/m
    assert_select "dl.figures", /To the acknowledgement, p50[[:space:]]*4/
    assert_select "dl.figures", /End to end, p50[[:space:]]*–[[:space:]]*not told, as the clocks were not compared/
    told = JSON.parse(response.body) if get(test_run_path(run, format: :json))
    assert_equal 2_300, told.dig("figures", "exact", "e2e_p99_clock_error")
  end

  test "JSON tells figures of seconds until there are exact ones" do
    run = test_runs(:finished)
    run.update! figures: { "p99" => { "value" => 8_000 }, "mean" => { "value" => 900 }, "errors" => 0 }
    get test_run_path(run, format: :json)
    assert_equal %w[ errors mean p99 ], response.parsed_body["figures"].keys.sort

    run.update! figures: run.figures.merge("exact" => { "p99" => 9_000 })
    get test_run_path(run, format: :json)
    assert_equal({ "errors" => 0, "exact" => { "p99" => 9_000 } }, response.parsed_body["figures"])
  end

  test "the verdict comes first on the page" do
    run = test_runs(:finished)
    run.update! thresholds: [ "p99 < 500 ms" ], figures: {
      "examined" => true, "seconds" => 90, "rate" => { "value" => 335 }, "spark" => [ 1, 2 ],
      "exact" => { "p99" => 3_182_000, "p50" => 990,
        "p95" => 5500, "max" => 4_000_000, "mean" => 1000, "count" => 92_000 }, "ok" => 92_000, "errors" => 0,
      "checks" => [ { "verdict" => "rejected", "check" => "Every JVM lived to the end", "reason" => "broker_1 died" } ]
    }
    get test_run_path(run)

    assert_select "title", "#{run.id} Not accepted: Stability – Testmaster"
    assert_select ".page-head .state[data-state=not-accepted]", "Not accepted"
    assert_select ".page-head + .tabs + .part > .verdict[data-verdict=not-accepted] .why",
      /p99 was 3,182 ms.*1 of 1 checks did not pass/
    assert_select ".verdict .complaint", /Every JVM lived to the end.*Broker_1 died\. Limit: none died\..*What to do:/m
    css_select(".against a").each { |link| assert_select link["href"] }
    assert_equal [ "1 of 1 check not passed", "1 of 1 threshold broken" ], css_select(".against a").map(&:text)
    assert_select "#figures-title + p", /\ANot accepted\. /

    get test_runs_path(verdict: "not_accepted")
    assert_select ".runs tbody tr", 1
    assert_select "tr.doubtful .state[data-state=not-accepted]", "Not accepted"
  end

  test "a check that did not pass has its limit, its meaning and a run that may pass" do
    run = test_runs(:finished)
    run.update! figures: { "examined" => true, "checks" => [ { "verdict" => "rejected", "check" => "Late starts",
      "reason" => "600 requests, 2.0 %" } ] }
    get test_run_path(run)

    assert_select ".complaint h3 .term[aria-description]", "Late starts"
    assert_select ".complaint", /600 requests, 2\.0 %\. Limit: at most 1 % .*more than 10 ms after its planned time/m
    assert_select ".verdict button", "Run again with half the rate"
    assert_difference -> { TestRun.at_work.count } do
      post test_run_duplicate_path(run), params: { remedy: "half_load", launch: 1 }
    end
    assert_equal "50/s", TestRun.order(:id).last.definition.client_groups.sole.settings["rate"]

    post test_run_duplicate_path(run, format: :json), params: { remedy: "prayer" }
    assert_response :unprocessable_entity

    sign_in_as users(:viewer)
    get test_run_path(run)
    assert_select ".verdict button", 0
  end

  test "a run has tabs, of which each is a page" do
    { finished: [ "Overview", "Charts", "Logs", "Profile", "What if", "Definition" ],
      running: [ "Live", "Logs", "Profile", "Definition" ] }.each do |name, words|
      get test_run_path(test_runs(name))
      tabs = css_select("nav.tabs a")
      assert_equal words, tabs.map(&:text)
      tabs.each do |tab|
        get tab["href"]
        assert_response :success
        assert_select "nav.tabs a[aria-current=page]", tab.text
      end
    end
    assert_select "pre.log", /duration: 1min/
  end

  test "a run that failed before its load offers neither plots nor a baseline" do
    test_runs(:failed).archive.attach io: StringIO.new("PK"), filename: "test_run.zip", content_type: "application/zip"
    get test_run_path(test_runs(:failed))
    assert_select "#baseline", 0
    assert_select ".page-head a", { text: "Compare with…", count: 0 }

    get test_run_charts_path(test_runs(:failed))
    assert_select "#analyze", 0
    assert_select ".muted", /ended before its load/
  end

  test "a target is offered the commands that it understands, and a refused one keeps its number" do
    run = test_runs(:running)
    run.jvms.update_all state: "running"
    get test_run_path(run)
    assert_select "#send-command option[value=rate][data-roles=client]"
    assert_select "#send-command option[value=status][data-roles='broker client']"
    assert_select "#send-command option[value=brokers][data-roles=broker]"

    post test_run_commands_path(run, format: :turbo_stream),
      params: { command: { target: "brokers", line: "rate", argument: "75" } }
    assert_response :unprocessable_entity
    assert_select "input[name='command[argument]'][value='75']"
    assert_select ".error", /has no JVM that knows rate: send it to clients/
  end

  test "the help page has all terms and checks" do
    get glossary_path

    assert_select ".topbar a[href='#{glossary_path}']", "?"
    assert_select "dl.glossary dt", "MSER-5"
    assert_select "dl.glossary #late-starts dd", /at most 1 %/
  end

  test "every chart has the numbers of the marks" do
    run = test_runs(:running)
    2.times { |n| run.samples.create! at: run.load_starts_at + 5.3 + n, figures: { rate: 100, mean: 900, p99: 2000 } }
    { 10 => [ "died", "broker_1 was killed by signal 9" ], 11 => [ "command", "rate 50/s to all" ] }.each do |at, event|
      run.events.create! name: event.first, message: event.last, phase: "running", created_at: run.load_starts_at + at
    end
    get test_run_path(run)

    assert_equal [ "broker_1 was killed by signal 9", "rate 50/s to all" ], css_select(".marks li > span").map(&:text)
    assert_equal [ "1", "2" ], css_select(".plot--marked .no text").map(&:text).uniq
    assert_operator css_select(".plot").size, :>=, 2
    css_select(".plot").each { |chart| assert_equal 2, css_select(chart, "line.mark").size }
    assert_select ".plot .no--death", css_select(".plot").size
  end

  test "runs are sorted by verdict, figures and cost" do
    test_runs(:finished).update! figures: { "exact" => { "p99" => 9 } }
    test_runs(:failed).update! figures: { "p99" => { "value" => 5 } }

    { "verdict" => %w[ failed finished ], "p99" => %w[ failed finished ],
      "-p99" => %w[ finished failed ] }.each do |sort, names|
      get test_runs_path(sort: sort)
      assert_equal names.map { |name| test_runs(name).name }, css_select(".run__name").map(&:text).first(2), sort
    end
    { finished: [ 0.5, nil ], failed: [ 1.0, 2 ] }.each do |name, (met, price)|
      test_runs(name).update_columns thresholds_met: met
      test_runs(name).machines.first.update_columns hourly_price: price, provisioned_at: 1.hour.ago
    end
    Comparison.new(test_run: test_runs(:failed), creator: users(:experimenter), worse_by: 7).save! validate: false
    Comparison.new(test_run: test_runs(:finished), creator: users(:experimenter), worse_by: -3).save! validate: false
    firsts = { "change" => "finished", "-change" => "failed", "thresholds" => "finished", "-thresholds" => "failed",
      "-cost" => "failed", "cost" => "failed" }
    firsts.each do |sort, name|
      get test_runs_path(sort: sort)
      assert_equal test_runs(name).name, css_select(".run__name").first.text, sort
      assert_select "th a[href*='sort=']", /Thresholds|Cost|Change/
    end
    get test_runs_path(sort: "-p99")
    assert_select "th[aria-sort=descending] a[href*='sort=p99']", "p99 ↓"

    get test_runs_path(sort: "p99; DROP TABLE")
    assert_select "th[aria-sort=descending]", "Started ↓"
  end

  test "charts say where finer figures were deleted" do
    run = test_runs(:finished)
    redefine run, duration: 960
    run.update_columns thinned_at: 2.hours.ago
    run.record_event :database_dropped, "The database was dropped, as it was kept for 90 days"
    get test_run_path(run)
    assert_select "#events, section", /The database was dropped, as it was kept for 90 days/
    get test_run_charts_path(run)
    assert_select "#charts .hint", /points of 4 s. Finer\s+figures were deleted 2 h ago; the logs in the zip still/

    redefine run, duration: 120
    get test_run_charts_path(run)
    assert_select "#charts .hint", { text: /Finer/, count: 0 }
  end

  test "a run without load shows no figures" do
    test_runs(:failed).update! figures: { "examined" => true, "not_examined" => "There is no performance log" }
    get test_run_path(test_runs(:failed))

    assert_select ".figures", 0
    assert_select "#figures-title", 1
    assert_match "No load was measured.", response.body
    assert_no_match "could not be examined", response.body
  end

  test "a name is escaped in the title of its page" do
    test_runs(:finished).update! name: "R&D <fast>"
    get test_run_path(test_runs(:finished))

    assert_select "title", "#{test_runs(:finished).id} Unknown: R&D <fast> – Testmaster"
  end

  test "finds runs by state, words and setting" do
    { { state: "failed" } => :failed, { q: "stability" } => :finished,
      { q: test_runs(:draft).id } => :draft }.each do |query, name|
      get test_runs_path(query)
      assert_select ".runs tbody tr", 1
      assert_select ".run__name", test_runs(name).name
    end

    change_group test_runs(:draft), :client, settings: { "rate" => "777/s" }
    get test_runs_path(q: "rate:777")
    assert_select ".run__name", test_runs(:draft).name
  end

  test "finds a setting by its whole value or a prefix" do
    change_group test_runs(:draft), :client, settings: { "rate" => "7770/s", "message.size" => "77" }
    { "rate:777" => 0, "rate:7770" => 1, "rate:777*" => 1, "rate:7770/s" => 1,
      "message.size:77" => 1 }.each do |q, found|
      get test_runs_path(q: q)
      assert_select ".runs tbody tr", { count: found }, q
    end

    test_runs(:failed).update! description: "Compares shared buffers"
    get test_runs_path(q: "buffers")
    assert_select ".run__name", test_runs(:failed).name
    assert_empty TestRun.search("#{test_runs(:draft).id}min")
    assert_empty TestRun.with_verdict("accepted").search("verdict:failed")
  end

  test "tabs count what the search finds" do
    get test_runs_path(q: "stability", state: "failed")

    assert_equal [ "All1", "Finished1", "Failed0" ], css_select(".tabs a").map { |link| link.text.squish }
    assert_select "p", /No matching runs/
  end

  test "columns are chosen and stored for the account" do
    get test_runs_path
    assert_equal %w[ State Run Throughput p99 Thresholds Cost Duration ],
      css_select(".runs th[scope=col]").map(&:text).first(7)

    test_runs(:finished).update! figures: { "ok" => 99, "errors" => 1, "exact" => { "p50" => 990 } },
      thresholds: [ "errors < 0.5 %" ]
    patch settings_columns_path, params: { columns: [ "", "thresholds", "errors", "p50" ] }
    follow_redirect!
    assert_equal %w[ State Run p50 Errors Thresholds ], css_select(".runs th[scope=col]").map(&:text)
    assert_equal [ "0.99 ms", "1.0 %", "0 of 1 met" ],
      css_select("##{dom_id test_runs(:finished), :row} .num").map { |cell| cell.text.squish.tr("\u00a0", " ") }

    patch settings_columns_path, params: { columns: [ "password_digest" ] }
    assert_match "must be of throughput", flash[:alert]
  end

  test "an empty list says how to begin" do
    TestRun.connection.execute "TRUNCATE test_runs CASCADE"
    get root_path

    assert_select "h2", "Nothing has been measured yet"
    assert_select "form[action=?]", test_runs_path
  end

  test "saves a draft with groups and settings" do
    assert_difference -> { TestRun.draft.count } do
      post test_runs_path, params: { test_run: form }
    end

    run = TestRun.last
    assert_redirected_to edit_test_run_path(run)
    assert_equal [ 30, 5 ], [ run.duration, run.warmup ]
    assert_equal %w[ a b ], run.tags
    assert_equal({ "workers" => "8", "deliveries.max" => "3" }, run.broker_groups.sole.settings)
    assert_equal [ 2, 15 ], run.client_groups.sole.then { |group| [ group.jvm_count, group.client_count ] }
    assert_equal [ "errors < 1 %" ], run.thresholds
  end

  test "an example without its provider says so" do
    get new_test_run_path(example: "first_look_ssh")

    assert_select "#mistakes li", /There is no provider "ssh"/
    assert_select "input[type=radio][name='test_run[provider_id]']"
    assert_select "input[type=radio][name='test_run[provider_id]'][checked]", false
  end

  test "a form in which no provider is chosen is launched nowhere" do
    assert_no_difference -> { TestRun.count } do
      post test_runs_path, params: { test_run: form.merge(provider_id: ""), launch: "1" }
    end

    assert_response :unprocessable_entity
    assert_select "#mistakes a[href='#test_run_provider']", "Provider must be chosen"
    assert_select "#test_run_provider ~ .error", "Provider must be chosen"
  end

  test "launching queues the run and shows it" do
    assert_enqueued_with job: TestRun::AdvanceJob do
      post test_runs_path, params: { test_run: form, launch: "1" }
    end

    assert_redirected_to test_run_path(TestRun.last)
    assert_predicate TestRun.last, :queued?
  end

  test "an overlong message names its field" do
    post test_runs_path, params: { launch: "1", test_run: form.merge(client_groups_attributes: { "0" => {
      scenario: "OneWayClient", machine_count: "1", jvm_count: "1", client_count: "2",
      scenario_settings: { "message.size" => "20000" } } }) }

    assert_response :unprocessable_entity
    assert_select "#test_run_client_groups_attributes_0_scenario_settings_message_size_note",
      /\AIs 20000 B, and the brokers take 2000 B: write a smaller one, or add content.max=20000/
  end

  test "mistakes come back beside their fields" do
    post test_runs_path, params: { launch: "1", test_run: form.merge(name: "", duration: "soon",
      client_groups_attributes: { "0" => { scenario: "OneWayClient", machine_count: "1", jvm_count: "900",
        client_count: "2",
        scenario_settings: { "message.size" => "2000000" }, further_settings_text: "what" } }) }

    assert_response :unprocessable_entity
    assert_select "#test_run_name[aria-invalid=true]"
    assert_select "#test_run_duration[value=soon][aria-invalid=true]"
    assert_select "#test_run_client_groups_attributes_0_jvm_count[value='900'][aria-invalid=true]"
    assert_select "#test_run_client_groups_attributes_0_scenario_settings_message_size[value='2000000']"
    assert_select "#test_run_client_groups_attributes_0_scenario_settings_message_size_note",
      "Must be from 10 B to 1,048,576 B, the limits of OneWayClient"
    assert_select "#test_run_client_groups_attributes_0_further_settings_text", "what"

    targets = css_select("#mistakes a").map { |link| link["href"] }
    assert_equal 5, targets.size
    targets.each { |target| assert_select target, { count: 1 }, "#{target} is not on the page" }
  end

  test "a run needs a broker and a client" do
    post test_runs_path, params: { test_run: form.except(:broker_groups_attributes, :client_groups_attributes) }

    assert_response :unprocessable_entity
    assert_select "#broker_groups_error", "Add at least one broker group"
    assert_select "#client_groups_error", "Add at least one client group"
  end

  test "pages warn where a run has no worker" do
    Worker.stub(:running?, false) do
      get test_run_path(test_runs(:running))
      assert_select "main .note--bad[role=alert]", /No worker is running.*do not advance/m
      assert_select ".page-head .state", "Running, no worker"
      [ machines_path, worker_path ].each do |path|
        get path
        assert_select ".state", "No worker"
      end
      test_runs(:running).update_columns state: "finished"
      get machines_path
      assert_select ".topbar .state", 0
    end
    test_runs(:running).update_columns state: "running"
    Worker.stub(:running?, true) do
      get test_run_path(test_runs(:running))
      assert_select ".note--bad", 0
      assert_select ".live[data-live-every-value]"
    end
  end

  test "a queued run names the run it waits for" do
    run = test_runs(:draft)
    run.launch
    get test_run_path(run)

    running = test_runs(:running)
    assert_select ".note", "Waiting for its turn behind run #{running.id} #{running.name}."
    assert_select ".note a[href='#{test_run_path(running)}']"
  end

  test "a stale form does not overwrite a draft" do
    draft = test_runs(:draft)
    get edit_test_run_path(draft)
    seen = css_select("input[name=seen]").first["value"]
    patch test_run_path(draft), params: { seen: seen, test_run: { name: "Mine" } }
    assert_redirected_to edit_test_run_path(draft)

    patch test_run_path(draft), params: { seen: seen, test_run: { name: "Theirs" } }
    assert_response :unprocessable_entity
    assert_equal "Mine", draft.reload.name
    assert_select "[role=alert]", /This draft was saved elsewhere/
    assert_select "input[value=Theirs]"
    patch test_run_path(draft), params: { seen: css_select("input[name=seen]").first["value"],
      test_run: { name: "Theirs" } }
    assert_equal "Theirs", draft.reload.name
  end

  test "concurrent updates of a draft are all saved" do
    draft, other = test_runs(:draft), { thresholds: [ "errors < 2 %" ] }
    at_once = ActiveSupport::Notifications.subscribe("sql.active_record") do |event|
      if other && event.payload[:sql].match?(/SELECT .* FROM "test_runs"/)
        said, other = other, nil
        TestRun.find(draft.id).update! said
      end
    end
    patch test_run_path(draft, format: :json), params: { definition: { duration: "90s" } }, as: :json

    assert_response :created
    assert_equal [ 90, [ "errors < 2 %" ] ], draft.reload.then { |it| [ it.duration, it.thresholds ] }
  ensure
    ActiveSupport::Notifications.unsubscribe at_once
  end

  test "an incomplete address is in no log" do
    log = StringIO.new
    logger, ActionController::Base.logger = ActionController::Base.logger, ActiveSupport::Logger.new(log)
    fields = { database_kind: "url", database_url: "postgresql://u:geheim",
      broker_groups_attributes: { "0" => { system: "rabbitmq", shown_address: "amqp://u:geheim" } } }
    post unsaved_definition_path, params: { test_run: fields }
    post test_runs_path(format: :json), params: { definition: { database: "u:geheim@h", brokers: [ {
      address: "host=h password=geheim" } ] } }, as: :json

    assert_match "Parameters", log.string
    assert_no_match "geheim", log.string
  ensure
    ActionController::Base.logger = logger
  end

  test "groups are removed from a draft and added" do
    patch test_run_path(test_runs(:draft)), params: { test_run: { client_groups_attributes: {
      "-1" => { _destroy: "1" },
      "1" => { scenario: "PublicQueueProducer", machine_count: "1", jvm_count: "1", client_count: "3" } } } }

    assert_equal %w[ PublicQueueProducer ], test_runs(:draft).reload.client_groups.map(&:scenario)
  end

  test "groups are a list or numbered fields" do
    group = { scenario: "OneWayClient", machine_count: 1, jvm_count: 1, client_count: 3 }
    later = group.merge(client_count: 4, position: 1)
    [ [ later, group ], { "0" => later, "1" => group }, { "0" => later, "1" => group.merge(position: true) },
      { "0" => later, "1" => group.merge(position: [ 7 ], id: nil) } ].each do |groups|
      patch test_run_path(test_runs(:draft)), params: { test_run: { client_groups_attributes: groups } }, as: :json
      assert_response :created, groups.inspect
      assert_equal [ 3, 4 ], test_runs(:draft).reload.client_groups.map(&:client_count), groups.inspect
    end

    [ group, [ group, "x" ], { "0" => [ group ] }, "x", nil ].each do |groups|
      patch test_run_path(test_runs(:draft)), params: { test_run: { client_groups_attributes: groups } }, as: :json
      assert_response :unprocessable_entity, groups.inspect
      assert_match "client_groups_attributes", response.parsed_body["errors"].sole, groups.inspect
      post estimate_path, params: { test_run: { client_groups_attributes: groups } }, as: :json
      assert_response :unprocessable_entity, groups.inspect
    end
    assert_equal [ 3, 4 ], test_runs(:draft).reload.client_groups.map(&:client_count)
  end

  test "the form keeps the hidden password of a database" do
    test_runs(:draft).update! database: "postgresql://ada:secret@db.example.org:5432/postgres"
    get edit_test_run_path(test_runs(:draft))
    assert_no_match "secret", response.body

    patch test_run_path(test_runs(:draft)),
      params: { test_run: { database_kind: "url", database_url: "postgresql://ada@db.example.org:5432/postgres" } }
    assert_equal "postgresql://ada:secret@db.example.org:5432/postgres", test_runs(:draft).reload.database

    patch test_run_path(test_runs(:draft)), params: { test_run: { database_kind: "embedded", database_url: "" } }
    assert_equal "embedded", test_runs(:draft).reload.database
  end

  test "a cleared count is shown beside its field" do
    %i[ machine_count jvm_count client_count ].each do |count|
      cleared = form.deep_merge(client_groups_attributes: { "0" => { count => "" } })
      post test_runs_path, params: { test_run: cleared }
      assert_response :unprocessable_entity
      assert_select "#test_run_client_groups_attributes_0_#{count}[aria-invalid=true]"

      post estimate_path, params: { test_run: cleared }
      assert_response :success
    end
    post estimate_path,
      params: { test_run: form.deep_merge(client_groups_attributes: { "0" => { machine_count: 10**30 } }) }
    assert_response :success
  end

  test "limits of zero can be shown" do
    test_runs(:running).update! thresholds: [ "p99 < 0 ms", "mean < 0 us", "throughput > 0 /s", "errors < 0 %",
      "late < 0 %" ]
    get test_run_path(test_runs(:running))

    assert_response :success
    assert_select "li", /p99 < 0 ms/
  end

  test "a definition replaces the groups of a draft" do
    definition = { clients: [ { scenario: "OneWayClient", clients: 3 }, { scenario: "PublicQueueProducer" } ] }
    2.times { patch test_run_path(test_runs(:draft), format: :json), params: { definition: definition }, as: :json }

    draft = test_runs(:draft).reload
    assert_response :created
    assert_equal %w[ OneWayClient PublicQueueProducer ], draft.client_groups.map(&:scenario)
    assert_equal [ 3, 1 ], draft.client_groups.map(&:client_count)
    assert_equal %w[ Broker ], draft.broker_groups.map(&:scenario)
    assert_equal 2, response.parsed_body["definition"]["clients"].size

    patch test_run_path(draft, format: :json), params: { definition: { brokers: [] } }, as: :json
    assert_response :unprocessable_entity
    assert_equal 1, draft.reload.broker_groups.size
  end

  test "a run of a day reads as little as one of a minute" do
    run = test_runs(:running)
    run.update! thresholds: [ "p99 < 50 ms", "errors < 1 %" ]
    get test_run_path(run)
    of_a_minute = read_by { get test_run_path(run) }

    run.update! duration: 24 * 3600, load_starts_at: 24.hours.ago
    1000.times.map do |n|
      Sample.create!(test_run: run, at: run.load_starts_at + n * 86,
        figures: { rate: 100, mean: 1000, p99: 2000, ok: n * 100, errors: 0, late: 0 })
    end
    of_a_day = read_by { get test_run_path(run) }

    assert_equal of_a_minute[:queries], of_a_day[:queries]
    assert_operator of_a_day[:rows], :<, of_a_minute[:rows] + TestRun::Step::COUNT + 5
    assert_empty of_a_day[:sql].grep(/FROM "samples"/).grep_v(/LIMIT/)
  end

  test "unknown fields and other data are refused by name" do
    [ [ 1 ], 1, true, "- 1" ].each do |definition|
      post test_runs_path(format: :json), params: { definition: definition }, as: :json
      assert_response :unprocessable_entity
      assert_match "must be YAML with words", response.body
    end

    post test_runs_path(format: :json), params: { test_run: { name: "x", creator_id: 1 } }, as: :json
    assert_response :unprocessable_entity
    assert_match "creator_id cannot be given here", response.body

    post test_runs_path(format: :json), params: { definition: { name: "a\0b" } }, as: :json
    assert_response :unprocessable_entity
    assert_match "definition.name has a NUL character", response.body
  end

  test "a launched run cannot be changed" do
    patch test_run_path(test_runs(:finished)), params: { test_run: { name: "Other" } }

    assert_redirected_to test_run_path(test_runs(:finished))
    assert_equal "Stability", test_runs(:finished).reload.name
  end

  test "the page of an active run shows figures and JVMs" do
    get test_run_path(test_runs(:running))

    assert_select ".phase[data-phase=now] b", "Running"
    assert_select ".figure__value", /289/
    assert_select ".jvms tbody tr", 4
    assert_select "#send-command option[value='jvm:broker_0']"
    assert_select "form[action=?]", test_run_cancellation_path(test_runs(:running))
  end

  test "the page of a failed run gives reason and advice" do
    get test_run_path(test_runs(:failed))

    assert_select ".verdict[data-verdict=failed]",
      /Failed while deploying: broker_0 ended with exit code 1.*Take the port out/m
  end

  test "only an ended run can be deleted" do
    assert_no_difference -> { TestRun.count } do
      delete test_run_path(test_runs(:running))
    end
    assert_equal "Test run #{test_runs(:running).id} is active: cancel it first.", flash[:alert]

    assert_difference -> { TestRun.count }, -1 do
      delete test_run_path(test_runs(:failed))
    end
  end

  private
    def read_by(&block)
      read = { queries: 0, rows: 0, sql: [] }
      ApplicationRecord.connection.clear_query_cache
      count = ->(*,
        event) { read[:queries] += 1; read[:rows] += event[:row_count]
          .to_i; read[:sql] << event[:sql] unless event[:name] == "SCHEMA" }
      ActiveSupport::Notifications.subscribed(count, "sql.active_record", &block)
      read
    end

    def form
      { name: "Two brokers", tag_list: "a, b", provider_id: providers(:local).id, duration: "30s", warmup: "5s",
        cooldown: "0", timeout: "10min", revision: "HEAD",
        database_kind: "embedded", thresholds: [ "", "errors < 1 %" ], abort_when: [ "" ],
        broker_groups_attributes: { "0" => { scenario: "Broker", machine_count: "1", jvm_count: "2",
          scenario_settings: { "workers" => "8", "db.connections" => "" },
          further_settings_text: "deliveries.max=3\n" } },
        client_groups_attributes: { "0" => { scenario: "OneWayClient", machine_count: "1", jvm_count: "2",
          client_count: "15", scenario_settings: { "rate" => "100/s" } } } }
    end
end
