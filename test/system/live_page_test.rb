require "application_system_test_case"
require "minitest/mock"

class LivePageTest < ApplicationSystemTestCase
  setup do
    @run = TestRun.from_definition(name: "Looked at", provider: "local", brokers: [ { scenario: "Broker" } ],
      clients: [ { scenario: "OneWayClient" } ])
    @run.update! creator: users(:experimenter), state: "running", launched_at: 20.seconds.ago,
      load_starts_at: 10.seconds.ago
    machine = @run.machines.create!(name: "local", role: "all", provider: @run.provider, state: "ready")
    machine.jvms.create! group_position: 0, role: "broker", position: 0, state: "ready"
    machine.jvms.create! group_position: 0, role: "client", position: 0, state: "running"

    sign_in
    visit test_run_path(@run)
    assert_settled
  end

  test "updates keep what a person typed and opened" do
    select "rate", from: "Command"
    fill_in "Rate", with: "1234"
    select "client_0", from: "To"
    click_button "Cancel run"

    sample 5, rate: 417.0
    assert_selector ".figure__value", text: "417 /s"
    assert_selector "[data-key=rate] .keys b", text: "417 /s", visible: :all
    execute_script "document.querySelector('[data-key=rate]').dataset.drawn = 'once'"
    assert_selector "dialog[open]", text: "Cancel run #{@run.id}?"
    click_button "Let it run"

    fill_in "Rate", with: "4321"
    sample 6, rate: 533.0
    assert_selector ".figure__value", text: "533 /s"
    assert_selector "[data-key=rate][data-drawn=once] .keys b", text: "533 /s"
    assert_field "Rate", with: "4321"
    assert_select "To", selected: "client_0"
    assert_equal "command[argument]", evaluate_script("document.activeElement.name")
  end

  test "notes above the charts do not move them" do
    execute_script <<~JS
      const series = document.querySelector(".series")
      window.moved = 0
      new MutationObserver(changes => changes.forEach(({ removedNodes }) =>
        window.moved += [ ...removedNodes ].filter(node => node.contains(series) || node === series).length))
        .observe(document.body, { childList: true, subtree: true })
    JS
    sample 5, rate: 417.0
    assert_text "No newer figures have come"
    sample 60, rate: 533.0
    assert_selector ".figure__value", text: "533 /s"
    assert_no_text "No newer figures have come"
    assert_equal 0, evaluate_script("window.moved")
  end

  test "figures age by the browser's clock" do
    sample @run.seconds_of_load, rate: 533.0
    assert_selector ".figure__value", text: "533 /s"
    assert_selector "[data-controller=age].muted", text: /measured 0:0\d ago/
    execute_script "const now = performance.now.bind(performance); performance.now = () => now() + 70_000"

    assert_selector "[data-controller=age].note--warn", text: /measured 1:1\d ago. No newer figures have come/
  end

  test "the page notices a lost worker and session" do
    assert_selector ".topbar .state", exact_text: "1 active"
    Worker.stub(:running?, false) do
      execute_script "document.dispatchEvent(new Event('visibilitychange'))"
      assert_selector ".topbar .state", text: "No worker"
    end
    Session.destroy_all
    execute_script "document.dispatchEvent(new Event('visibilitychange'))"
    assert_selector ".topbar .state", text: "Signed out"
  end

  test "constant updates leave pauses between fetches" do
    execute_script "performance.clearResourceTimings()"
    await do
      @run.refresh_pages
      fetches.size > 4
    end

    fetches.each_cons(2) do |(began, took), (begins, _)|
      assert_operator begins - began, :>=, [ 3 * took, 5000 ].min
    end
  end

  test "nothing moves while a mouse button is pressed" do
    execute_script "addEventListener('turbo:before-render', event => window.held = event.defaultPrevented)"
    execute_script "document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))"
    sample 5, rate: 417.0
    await { evaluate_script("window.held") }
    assert_no_selector ".figure__value", text: "417 /s", wait: 0

    execute_script "document.body.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))"
    assert_selector ".figure__value", text: "417 /s"
  end

  test "tab and notification show the state of the run" do
    execute_script <<~JS
      window.told = []
      window.Notification = class { constructor(title) { window.told.push(title) } }
      Notification.permission = "default"
      Notification.requestPermission = async () => Notification.permission = "granted"
      document.querySelector("[data-controller=notification]").dispatchEvent(new Event("x"))
      dispatchEvent(new Event("turbo:render"))
    JS
    assert_match(/\A#{@run.id} Running \d+ %: Looked at/, title)
    before = icon_of_tab
    assert_match "stroke-dasharray", before
    click_button "Notify me at the end"
    assert_button "Notifies you at the end"
    sample 5, rate: 417.0
    assert_selector ".figure__value", text: "417 /s"
    assert_button "Notifies you at the end"
    assert_empty evaluate_script("window.told")

    @run.update! state: "cancelled", ended_at: Time.current
    await { evaluate_script("window.told").any? }
    assert_equal [ "#{@run.id} Cancelled: Looked at" ], evaluate_script("window.told")
    assert_match(/\A#{@run.id} Cancelled/, title)
    assert_not_equal before, icon_of_tab
  end

  test "the page catches up after a lost connection" do
    cable "disconnect"
    assert_no_selector "turbo-cable-stream-source[connected]", visible: :all
    sample 5, rate: 417.0
    @run.record_event :looked_away, "Nobody was told"
    assert_no_text "Nobody was told", wait: 1

    cable "connect"
    assert_text "Nobody was told"
    assert_selector ".figure__value", text: "417 /s"
  end

  test "updates during a fetch are not missed" do
    execute_script "window.fetched = 0; addEventListener('turbo:visit', () => window.fetched++)"
    slow_down_pages do
      sample 5, rate: 417.0
      await { evaluate_script("window.fetched") == 1 }
      sample 6, rate: 533.0
    end

    assert_selector ".figure__value", text: "533 /s"
    assert_selector "turbo-cable-stream-source[connected]", visible: :all
  end

  test "a form in flight survives updates" do
    slow_down_pages TestRuns::DuplicatesController do
      click_button "Duplicate"
      await { TestRun.uncached { TestRun.draft.exists?(name: "Looked at (copy)") } }
      sample 5, rate: 417.0
      assert_selector "h1", text: "Looked at (copy)"
    end
  end

  test "an error of a command stays until it is sent again" do
    select "rate", from: "Command"
    fill_in "Rate", with: ""
    click_button "Send"
    assert_selector "#send-command .error", text: "must be one of"

    sample 5, rate: 417.0
    assert_selector ".figure__value", text: "417 /s"
    assert_selector "#send-command .error"
    assert_select "Command", selected: "rate"

    fill_in "Rate", with: "50"
    click_button "Send"
    assert_selector "#replies li", text: "rate 50/s to all 2 JVMs"
    assert_no_selector "#send-command .error"
  end

  test "only commands that the target understands can be chosen" do
    select "rate", from: "Command"
    select "broker_0", from: "To"
    assert_no_select "Command", selected: "rate"
    assert_no_field "Rate"
    assert_equal %w[ logstacktrace logmemory status profile shutdown ],
      find_field("Command").all("option:not([disabled])").map(&:text)
  end

  test "a command that ends JVMs asks first" do
    select "client_0", from: "To"
    select "shutdown", from: "Command"
    click_button "Send"
    assert_selector "dialog[open] h2", text: "Shut down: client_0?"
    send_keys :escape
    assert_no_selector "dialog[open]"
    assert_empty @run.commands.reload

    click_button "Send"
    within("dialog[open]") { click_button "Shut down" }
    assert_selector "#replies li", text: "shutdown to client_0"
    sample 5, rate: 417.0
    assert_selector ".figure__value", text: "417 /s"
    assert_select "To", selected: "client_0"
  end

  test "cancelling asks once and shows at once" do
    click_button "Cancel run"
    within("dialog[open]") { click_button "Cancel the run" }

    assert_selector ".page-head .state", text: /\ACancelling/
    assert_no_button "Cancel run"
    assert_predicate @run.reload, :cancelling?
  end

  test "on a phone nothing scrolls sideways" do
    sample 5, rate: 417.0
    page.current_window.resize_to 390, 844
    visit test_run_path(@run)

    assert_selector ".figure__value", text: "417 /s"
    assert_equal 390, evaluate_script("document.documentElement.scrollWidth")
  end

  private
    # @return start and duration of each fetch of the page [ms]
    def fetches
      evaluate_script "performance.getEntriesByType('resource').filter(it => it.name === location.href)" \
        ".map(it => [ it.startTime, it.duration ])"
    end

    def icon_of_tab
      CGI.unescape evaluate_script("document.querySelector('link[rel=icon]').href")
    end

    def sample(second, **figures)
      @run.samples.create! at: @run.load_starts_at + second,
        figures: { mean: 1000, p99: 2000, ok: 10, errors: 0, late: 0, clients: 1, **figures }
    end

    # Delays the response of each page by a second.
    def slow_down_pages(controller = TestRunsController)
      late = Module.new { def process_action(*) = super.tap { sleep 1 } }
      controller.prepend late
      yield
    ensure
      late.remove_method :process_action
    end

    def cable(what)
      execute_script "import('@hotwired/turbo-rails').then(({ cable }) => cable.getConsumer()).then(consumer => " \
        "consumer.#{what}())"
    end
end
