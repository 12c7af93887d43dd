require "application_system_test_case"
require_relative "../independent/comparison"

class WholePathTest < ApplicationSystemTestCase
  BUILD_AND_DEPLOY = 240 # seconds at most; a new revision is built first
  LOAD = 60
  LONG_ENOUGH = 15 # seconds of load, enough for a plot

  test "a run goes from form to analysis in the browser" do
    SidekiqWorker.run do
      sign_in
      define_and_launch "The whole path"
      watch_until "Running"
      shut_down "broker_1"
      await(within: LOAD) { TestRun.last.seconds_of_load > LONG_ENOUGH }
      shut_down "Clients, 3 JVMs", answers: 3
      watch_until "Accepted|Not accepted|Threshold broken|Unknown"

      within(".tabs") { click_link "Logs" }
      check_archive RunArchive.new(download("Download logs"))
      within(".tabs") { click_link "Charts" }
      plot "Throughput"
    end
  end

  private
    def define_and_launch(name)
      click_link "Define your own"
      assert_selector "h1", text: "New test run" # a label is searched twice, and the page must not change in between
      fill_in "Name", with: name
      fill_in "Load lasts", with: "10min" # a command ends it, so this must outlast all earlier commands
      fill_in "Warm-up", with: "2s"
      fill_in "Cool-down", with: "1s"

      within_group "broker", 0 do
        fill_in "JVMs per machine", with: "2"
      end

      within_group "client", 0 do
        fill_in "JVMs per machine", with: "2"
        fill_in "Clients per JVM", with: "5"
        set_up_load rate: "60/s"
      end

      click_button "Add a client group"
      within_group "client", 1 do
        select "PublicQueueProducer", from: "Scenario"
        fill_in "Clients per JVM", with: "3"
        set_up_load rate: "40/s"
        assert_selector "output b", exact_text: "3"
      end

      assert_selector ".summary dd", exact_text: "13"
      assert_settled # the height of the button's column depends on its text
      execute_script "window.loadedOnce = true"
      click_button "Launch", match: :first
      assert_selector "h1", text: name
    end

    def within_group(role, position, &block)
      within(all(".group[data-role=#{role}]", minimum: position + 1)[position], &block)
    end

    # Every message is accounted for, so no response may come after the timeout.
    def set_up_load(rate:)
      fill_in "Rate", with: rate
      find("summary", text: "More settings").click
      fill_in "Timeout", with: "30s"
      fill_in "Others, one per line, key=value", with: "record.messages=true"
    end

    # The page must update in place, without a reload.
    def watch_until(state)
      assert_selector ".page-head .state", text: /\A(#{state}|Failed)\z/, wait: BUILD_AND_DEPLOY + LOAD
      assert_no_selector ".note--bad, .verdict[data-verdict=failed]"
      assert evaluate_script("window.loadedOnce"), "the page was reloaded"
    end

    def shut_down(target, answers: 1)
      assert_selector ".figure__value", text: "/s", wait: LOAD
      await(within: LOAD) { asked? || sent?(target) }
      within("dialog[open]") { await_news && click_button("Shut down") }
      assert_selector ".replies li", text: "shutdown to #{target.downcase_first}", wait: LOAD
      await(within: LOAD) { Command.last.replies.pluck(:state).tally == { "ok" => answers } }
    end

    def asked?
      has_selector?("dialog[open]", wait: 0)
    end

    # A page moves when it receives an update: a click may miss, and elements may be replaced. On a busy machine the
    # page fetches itself nearly all the time.
    def sent?(target)
      select target, from: "To"
      select "shutdown", from: "Command"
      click_button("Send") && has_selector?("dialog[open]")
    rescue Capybara::Cuprite::ObsoleteNode
      false
    end

    # The page updates each second, but an open dialog must stay.
    def await_news
      seen = Sample.maximum(:id)
      await { Sample.maximum(:id) > seen + 2 }
    end

    def check_archive(archive)
      %w[ broker_0 broker_1 client_0 client_1 client_2 ].each do |jvm|
        log = archive.read("logs/local/#{jvm}/performance_#{jvm}.log")
        assert_match(/\AMLMQ performance log .*Unit\[us\]/, log.lines.first)
        assert_operator log.lines.grep(/\A\d+;\d{13};[CB]/).size, :>, 50, jvm
      end
      assert_equal "The whole path", YAML.safe_load(archive.read("test_run.yml"))["name"]

      accounted = archive.received.merge(archive.left_in_database) { |_, received, left| received + left }
      assert_operator archive.sent.size, :>, 200
      assert_operator archive.received.size, :>, 100
      assert_empty archive.sent.reject { |id, copies| accounted[id] == copies },
        "acknowledged, but not received or left exactly once"
      check_figures archive
    end

    def check_figures(archive)
      Dir.mktmpdir do |folder|
        archive.extract_to folder, /performance_|summary_/
        assert_empty Independent::Comparison.new(folder).differences
      end
    end

    def plot(kind)
      choose kind
      click_button "Analyze"
      image = find("#analyses img", wait: LOAD)

      svg = Net::HTTP.get(URI(image[:src]), "Cookie" => "session_id=#{page.driver.browser.cookies["session_id"].value}")
      assert_operator svg[/<svg/] ? svg.scan(/[ML]\s?[\d.]+,[\d.]+/).size : 0, :>, 20
      await(within: LOAD) { evaluate_script "document.querySelector('#analyses img').naturalWidth > 100" }
      assert_match(/\Awindow,action,count,/, download("CSV").read)
      assert_selector ".downloads a", text: "gnuplot script"
    end
end
