require "application_system_test_case"
require "test_helpers/zipped_logs"

class ChartsTest < ApplicationSystemTestCase
  include ZippedLogs

  setup do
    @run = TestRun.from_definition(name: "Looked into", provider: "local", duration: "60s",
      brokers: [ { scenario: "Broker" } ], clients: [ { scenario: "OneWayClient" } ])
    start = 5.minutes.ago.round
    @run.update! creator: users(:experimenter), state: "running", launched_at: start - 10, load_starts_at: start
    machine = @run.machines.create!(name: "local", role: "all", provider: @run.provider, state: "released")
    broker = machine.jvms.create!(group_position: 0, role: "broker", position: 0, state: "failed",
      exit_code: 137)
    book = TestRun::Reading::Book.new(@run)
    60.times do |second|
      @run.samples.create! at: start + second + 0.5,
        figures: { rate: 100 + second, mean: 1000, p99: 2000, ok: 10, errors: 0, late: 0, clients: 1 }
      book.add "machine:local", { "user" => second, "system" => 5, "steal" => 0 }, second..second unless second == 41
    end
    book.save
    @run.events.create! name: "died", jvm: broker, message: "broker_0 was killed by signal 9", created_at: start + 40
    attach_zip @run, "broker_0/broker_0.log" => [ 10, 39, 42 ].map { |second|
      "#{(start + second).utc.strftime("%FT%T.%LZ")} INFO main second #{second}\n" }.join
    @run.update! state: "finished", ended_at: start + 65, figures: @run.measurement.merge("examined" => true)

    sign_in
    visit test_run_charts_path(@run)
    assert_selector "[data-key=processor_local] canvas"
  end

  test "one cross-hair reads all charts and leads to logs" do
    assert_no_selector ".charts--plain figure"
    assert_selector ".series__bar", text: "Last values at 0:59"

    charts = find(".series .charts")
    charts.send_keys :left, :left
    assert_equal [ "Values at 0:57", "157 /s", "57 %" ], read
    charts.send_keys :home, *([ :right ] * 41)
    assert_equal [ "Values at 0:41", "141 /s", "–" ], read

    charts.send_keys "["
    assert_button "All of the load"
    assert_field "From", with: "0:41"
    assert_field "To", with: "1:00"
    assert_link "Plot just these seconds"
    first("[data-key=rate] .u-over").hover
    assert_match(/\AValues at 0:5\d\z/, read.first)
    charts.send_keys :escape
    assert_no_button "All of the load"
    assert_field "From", with: ""

    check "Log scale", allow_label_click: true
    charts.send_keys :home, *([ :right ] * 39), :enter
    assert_selector "h2", text: "From 0:39"
    assert_equal [ "second 39", "broker_0 was killed by signal 9", "second 42" ],
      all(".lines .words").map { |words| words.text.strip }

    go_back
    find(".marks a", text: "0:40").click
    assert_selector ".lines .words", text: "second 42"
    assert_no_text "second 39"
  end

  test "the scale ignores the warm-up unless logarithmic" do
    assert_operator top_of("rate"), :<, 200

    @run.update! warmup: 5
    @run.steps.find_by!(position: 0).update! rate: 9_000
    visit test_run_charts_path(@run)
    assert_selector "[data-key=rate] canvas"
    assert_operator top_of("rate"), :<, 200

    check "Log scale", allow_label_click: true
    await { top_of("rate") > 5_000 }
  end

  test "the shown machines can be chosen" do
    assert_no_text "Choose machines and JVMs"
    10.times do |n|
      @run.machines.create!(name: "machine-#{n}", role: "client", provider: @run.provider, state: "released")
      @run.readings.where(length: 1).find_each do |reading|
        reading.update! figures: reading.figures.merge("machine:machine-#{n}" => { "user" => [ 10 * n, 1 ] })
      end
    end
    visit test_run_charts_path(@run)
    assert_selector "[data-key='processor_machine-6'] canvas"
    assert_no_selector "[data-key='processor_machine-9']"
    assert_text "Not shown: 3 machines and 0 JVMs."
    find("summary", text: "Choose machines and JVMs").click
    uncheck "machine-6"
    check "machine-9"
    assert_selector "[data-key='processor_machine-9'] .keys b", text: "90 %"
    assert_no_selector "[data-key='processor_machine-6']"
  end

  private
    def top_of(key)
      evaluate_async_script <<~JS
        import("controllers/application").then(({ application }) => arguments[0](
          application.getControllerForElementAndIdentifier(document.querySelector(".series"), "series")
            .plots.find(({ chart }) => chart.key === "#{key}").plot.scales.y.max))
      JS
    end

    def read
      [ find(".series__bar [role=status].strong").text, find("[data-key=rate] .keys b").text,
        first("[data-key=processor_local] .keys b").text ]
    end
end
