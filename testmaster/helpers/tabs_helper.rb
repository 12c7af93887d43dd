# Renders the title and the icon of a run's browser tab, and the tabs of its pages.
module TabsHelper
  RED = "#c62828"
  TONES = { "accepted" => "#1a7f4e", "failed" => RED, "not_accepted" => RED, "threshold_broken" => RED }
  SIGNS = { "accepted" => "m4.6 8.3 2.3 2.3 4.5-4.8", "not_accepted" => "M4 8h8",
    "threshold_broken" => "M8 12V4.5M5 7.4 8 4.4l3 3", "failed" => "m5.3 5.3 5.4 5.4m0-5.4-5.4 5.4" }
  GREY, BLUE, ROUND = "#80868b", "#1a66c2", 40.84 # once around a radius of 6.5

  # Returns [ [ word, path ], … ]. The page of an active run has its charts.
  def tabs_of_run(run)
    [ [ run.ended? ? "Overview" : "Live", test_run_path(run) ],
      ([ "Charts", test_run_charts_path(run) ] if run.ended?), [ "Logs", test_run_logs_path(run) ],
      [ "Profile", test_run_profile_path(run) ], ([ "What if", test_run_predictions_path(run) ] if run.ended?),
      ([ "Console", test_run_console_path(run) ] if run.run_database.lives?),
      [ "Definition", test_run_definition_path(run) ] ].compact
  end

  # Returns the path of the page with the charts of a run.
  def charts_path_of(run)
    run.ended? ? test_run_charts_path(run) : test_run_path(run, anchor: "charts")
  end

  # Returns "214 Not accepted: Two brokers" or "214 Running 47 %: Two brokers", as a tab shows only the beginning.
  def title_of(run)
    state = [ run.state.capitalize, (percent_of_load(run) if run.running?) ].compact.join(" ")
    "#{run.id} #{run.verdict&.word || state}: #{run.name}"
  end

  # Renders a disc with the sign of its verdict, or a ring that closes as the load proceeds.
  def tab_icon_of(run)
    svg = run.ended? && !run.verdict.name.in?(%w[ examining unknown cancelled ]) ? disc(run.verdict.name) : ring(run)
    "data:image/svg+xml,#{ERB::Util.url_encode("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' " \
      "fill='none' stroke-width='2.4'>#{svg}</svg>")}"
  end

  def conclusion_known?(run)
    run.ended? && run.verdict.name != "examining"
  end

  private
    def disc(verdict)
      "<circle cx='8' cy='8' r='8' fill='#{TONES.fetch(verdict)}'/><path stroke='#fff' d='#{SIGNS.fetch(verdict)}'/>"
    end

    def ring(run)
      done = run.load_starts_at ? run.seconds_of_load / run.duration.to_f : 0
      cross = "<path stroke='#{GREY}' d='m4 12 8-8'/>" if run.cancelled?
      arc = "<circle cx='8' cy='8' r='6.5' stroke='#{BLUE}' transform='rotate(-90 8 8)' " \
        "stroke-dasharray='#{(done * ROUND).round(1)} #{ROUND}'/>" if run.at_work? && done.positive?
      "<circle cx='8' cy='8' r='6.5' stroke='#{GREY}'/>#{arc}#{cross}"
    end

    def percent_of_load(run)
      "#{(run.seconds_of_load * 100 / run.duration).floor} %" if run.load_starts_at
    end
end
