# The log analyzer's results for an ended run: exact figures of the measurement interval, and whether the run can be
# trusted.
module Outcome::Examined
  NOT_ACCEPTED = 3 # exit code of a check
  LIMIT = 3600 # seconds
  ATTEMPTS = 3 # all but the last were cut off
  LONGEST_SUMMARY = 1.megabyte

  # One worker at a time analyses a run, and once. An analysis that kills its worker is tried a limited number of times.
  def examine
    run.holding_lock :examination do
      run.reload
      examine_now unless examined?
      run.follow_up unless run.followed_up_at?
    end
  end

  def examined?
    figures.key?("examined")
  end

  # Tests whether queues grow, by the test that the log analyzer applies to logs. queues is { name => [ length in each
  # second ] }.
  def trend_of(queues)
    return {} if queues.empty?

    Tempfile.create([ "queues", ".csv" ]) do |file|
      file << queues.keys.to_csv << queues.values.transpose.map(&:to_csv).join
      file.close
      row = read_logs("steady -d #{file.path.shellescape} -fmt json").first
      { "queue trend" => row&.fetch("trend"), Condition::STEADY => row&.fetch("steady")&.to_f }.compact
    end
  end

  # Returns [ { "verdict" => "good" | "note" | "warning" | "rejected" | "unknown", "check" =>, "reason" =>, "value" =>
  # }, … ].
  def check_results
    figures.fetch("checks", [])
  end

  def all_checks
    check_results.map { |result| Check.new(result) }
  end

  # Returns the processor time [us] that monitor.sh needed for its fixed piece of work on the machines; nil if it is
  # unknown.
  def fixed_work
    check_results.find { |check| check["check"] == "Machine speed" }&.dig("value")
  end

  private
    def examine_now
      run.increment! :examinations
      if run.examinations > ATTEMPTS
        raise Failure,
          "The examination was interrupted #{ATTEMPTS} times: see the worker's log, and the memory and the disk of " \
            "this machine"
      end

      findings = open_archive do |zip|
        exact = exact_figures(zip)
        judge_tries zip if steps?
        { "exact" => exact, "checks" => checks(zip),
          "operations" => (operations(zip) if exact && experiment && !steps?),
          "stages" => (stages(zip) if exact && experiment && !steps? && system.plots.include?("breakdown")),
          "phases" => (phases_of_load(zip) if exact && phases_told?(zip)),
          "queue" => (trend_of_queue(zip) if experiment&.find? && !steps?),
          **exact_counts(zip) }.compact
      end
      keep_findings findings.merge({ "rate" => exact_rate(findings["exact"]) }.compact)
    rescue Failure => failure
      keep_findings "not_examined" => failure.message
    rescue *Failure::OUR_OWN_TROUBLE
      raise
    rescue StandardError => error
      Rails.error.report error, handled: true, context: { test_run: run.id }
      keep_findings "not_examined" => "#{error.class.name}: #{error.message.lines.first.to_s.strip}".truncate(1_000)
    end

    def keep_findings(findings)
      run.check_lock :examination
      run.figures = figures.except("not_examined").merge(findings, "examined" => true)
      run.update_columns figures: run.figures, **columns_of_verdict
      run.refresh_pages
    end

    # Reasons of the log analyzer why it does not tell a figure that such a run has otherwise.
    WHY_UNTOLD = /\Athe clocks|client JVM|phase/

    # Returns { "count", "throughput", "mean", "p50", …, and "…_low" and "…_high" of each }. A percentile that lies
    # among failed requests is missing, and "at_least" has its lower limit. Shares are computed from counts. Times by
    # several clocks have a "…_clock_error" [us]. "untold" has reasons why a figure is missing.
    def exact_figures(zip)
      rows = rows_of_figures(zip).index_by { |row| Figure[row["figure"]]&.name || row["figure"] }
      return unless rows.dig("answered", "value")&.positive?

      rows = rows.slice(*figures_told.reject(&:share?).map(&:name)).merge("count" => rows["answered"])
        .merge(rows.slice("first_count"))
      values = rows.map do |name, row|
        { name => row["value"], "#{name}_low" => row["low"], "#{name}_high" => row["high"],
          "#{name}_clock_error" => row["clock_error"] }.compact
      end
      at_least = rows.transform_values { |row| row["at_least"] }.compact
      values.reduce(:merge).merge({ "at_least" => at_least.presence, "untold" => untold(rows).presence }.compact)
    end

    def untold(rows)
      rows.select { |_, row| row["value"].nil? && row["at_least"].nil? && row["reason"].to_s.match?(WHY_UNTOLD) }
        .transform_values { |row| row["reason"] }
    end

    def rows_of_figures(zip)
      names = figures_told.select { |figure| figure.known_to?(:comparison) }.map(&:name)
      read_logs("figures #{zip.shellescape} -type #{system.requests.split("#").first.shellescape}# " \
        "-metric #{names.join(",")} -fmt json")
    end

    # Clients that died have told no phases.
    def phases_told?(zip)
      phases? && summaries_in(zip).any? { |summary| summary["load"].is_a?(Array) && summary["load"].any? }
    end

    # Returns [ { "phase" =>, "begin" and "seconds" [s], "throughput", "sent", "received" [1/s], "mean", "p99",
    # "e2e_p99", "drain", "recovery" [us], "errors" [%], "backlog", "left" [messages] }, … ]; what is unknown is nil.
    def phases_of_load(zip)
      read_logs "phases #{zip.shellescape} -type #{system.requests.split("#").first.shellescape}# -fmt json"
    end

    # Returns { "sendMessage" => { "throughput" [1/s], "mean", "stddev", "p50", "p99" [us] }, … } of requests that went
    # well. Operations that found none have ":empty" behind their names.
    def operations(zip)
      rows = read_logs("-d #{zip.shellescape} -type #{system.requests.shellescape} -window 24h -percentiles 50,99 " \
        "-fmt json")
      rows.select { |row| row["window"] == "steady" && !row["action"].end_with?(":service") }.to_h do |row|
        [ row["action"].delete_prefix(system.requests), row.slice(*Experiment::Operation::FIGURES.keys) ]
      end
    end

    # Returns [ [ "request queue", mean time of all requests in it [us] ], … ] in the order in which a request passes
    # the stages, as PostgreSQL keeps pairs in an order of its own.
    def stages(zip)
      rows = read_logs("breakdown -d #{zip.shellescape} -fmt json")
      rows.select { |row| row["of"] == "all requests" && row["stage"] != "total" }
        .map { |row| row.values_at("stage", "mean") }
    end

    # Client JVMs have counted them. If a client did not report its counts, the samples are more complete.
    def exact_counts(zip)
      summaries = summaries_in(zip)
      return {} unless summaries.any? && summaries.size == jvms.client.count

      { "ok" => summaries.sum { |summary| summary["ok"] },
        "errors" => summaries.sum { |summary| summary["errors"].values.sum },
        "late" => summaries.sum { |summary| summary["late"] } }
    end

    def summaries_in(zip)
      File.open(zip, "rb") do |io|
        entries = ZipKit::FileReader.read_zip_structure(io: io).select { |entry| system.summary?(entry.filename) }
        entries.first(jvms.client.count + 1)
          .filter_map { |entry| read_summary entry.extractor_from(io).extract(LONGEST_SUMMARY) }
      end
    end

    # The file comes from a machine; anything but a summary is ignored.
    def read_summary(text)
      summary = JSON.parse(text)
      summary if summary.is_a?(Hash) && summary["errors"].is_a?(Hash) &&
        [ *summary.values_at("ok", "late"), *summary["errors"].values ].all? { |count| count?(count) }
    rescue JSON::ParserError, TypeError
      nil
    end

    def count?(value)
      value.is_a?(Integer) && value.between?(0, Machine::Limits::NUMBER)
    end

    def exact_rate(exact)
      { "value" => "throughput", "low" => "throughput_low", "high" => "throughput_high" }
        .transform_values { |name| exact[name]&.round(2) }.compact if exact&.key?("throughput")
    end

    def checks(zip)
      read_logs "check -d #{zip.shellescape} -fmt json", accepting: [ 0, NOT_ACCEPTED ]
    end

    # The logs are more exact than the live figures.
    def judge_tries(zip)
      figures = rows_of_tries(zip).index_by { |row| row.values_at("point", "repetition").map(&:to_i) }
      tries.where.not(state: "measuring").includes(:point).each do |tried|
        row = figures.fetch([ tried.point.number, tried.repetition ], {}).to_h
        tried.judge Experiment::Estimate.in_row(row, experiment.figures), experiment.search.conditions,
          state: "examined"
      end
    end

    def rows_of_tries(zip)
      return [] if tries.where.not(state: "measuring").none?

      CSV.parse(run_log_analyzer("experiment -d #{zip.shellescape} -fmt runs").output, headers: true).each.to_a
    end

    # Tests whether queues grow: a search may have this as a condition.
    def trend_of_queue(zip)
      row = CSV.parse(run_log_analyzer("experiment -d #{zip.shellescape} -fmt runs").output, headers: true).first
      columns = row.to_h.slice(*Experiment::Evaluated::QUEUE).values.map { |text| text.presence&.to_f }
      { "trend" => columns.first, "steady" => columns.second }.compact
    end

    # Names in it come from machines, and PostgreSQL accepts no NUL.
    def read_logs(arguments, accepting: [ 0 ])
      JSON.parse(run_log_analyzer(arguments, accepting: accepting).output.scrub.gsub("\\u0000", "\\ufffd"))
    end

    def run_log_analyzer(arguments, accepting: [ 0 ])
      result = Machine::Shell::Local.new.execute("#{Report::PROGRAM.to_s.shellescape} #{arguments}",
        timeout: LIMIT)
      unless result.status.in?(accepting)
        raise Failure.new(result.error.strip.lines.first.to_s.strip.presence ||
          "The log analyzer ended with exit code #{result.status}")
      end
      result
    end
end
