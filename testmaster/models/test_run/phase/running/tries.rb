# Performs a search within this run: sends clients one rate after another, and judges each by live figures. After a rate
# that was too high, it waits until the queues are drained, as they would affect the next try.
module TestRun::Phase::Running::Tries
  FEW = 5 # requests that may wait when a try begins
  DRAINED_WITHIN = 60 # seconds at least
  LEAST_SEEN = 0.8 # share of a try's seconds
  UNSEEN_AT_MOST = 3 # successive tries with too few samples

  # The phase calls this once a second. sampled says whether all clients were observed in this second. Clients at the
  # end of their time get no further rate; another run continues an unfinished search.
  def try_levels(sampled)
    return if @searched || !sampled
    return if over? || Time.current < load_starts_at + test_run.warmup

    resume_tries unless @resumed
    case
    when @draining_until then @draining_until = nil if drained?
    when @try            then go_on_with_try
    end
    begin_next_try unless @try || @draining_until || @searched
  end

  private
    delegate :experiment, to: :test_run

    # A try that another worker had begun is repeated.
    def resume_tries
      @resumed = true
      test_run.tries.measuring.delete_all
      drain if test_run.tries.any?
    end

    def over?
      Time.current >= load_starts_at + duration
    end

    # Judging the try before may have taken long.
    def begin_next_try
      return if over?

      point, repetition = experiment.reload.search.next_try
      return end_search unless point

      send_rate experiment.search.written(point.levels.values.sole)
      from = Time.current + experiment.settling_time
      @try = test_run.tries.create! point: point, repetition: repetition, measured_from: from,
        measured_to: from + experiment.measuring_time
      @before = nil
    end

    def go_on_with_try
      if @before.nil?
        begin_to_measure if Time.current >= @try.measured_from
      elsif Time.current >= @try.measured_to
        judge_try
      end
    end

    def begin_to_measure
      now = Time.current
      @try.update! measured_from: now, measured_to: now + experiment.measuring_time
      @before = counted
    end

    def judge_try
      tried, @try = @try, nil
      tried.update! measured_to: Time.current
      return give_up_on tried unless seen?(tried)

      @unseen = 0
      tried.judge figures_of(tried), experiment.search.conditions, state: "judged"
      record_event :tried, "#{experiment.search.written tried.level} #{tried.in_words}"
      experiment.refresh_pages
      tried.holds? ? @usual = waiting.values.sum : drain
    end

    def seen?(tried)
      test_run.samples.where(at: tried.measured_from..tried.measured_to).count >=
        (tried.measured_to - tried.measured_from) * LEAST_SEEN - 1
    end

    def give_up_on(tried)
      tried.destroy
      @unseen = @unseen.to_i + 1
      raise Failure.new("Clients reported too little to judge #{UNSEEN_AT_MOST} tries in a row",
        advice: "An unreachable or busy machine reports nothing: see the timeline.") if
          @unseen == UNSEEN_AT_MOST
    end

    # The lowest rate drains the queues fastest.
    def drain
      send_rate experiment.find["from"]
      within = [ DRAINED_WITHIN, 3 * (experiment.settling_time + experiment.measuring_time) ].max
      @drain_by, @draining_until = "#{within.round} s", Time.current + within
    end

    def drained?
      left = waiting
      return true if left.values.sum <= [ FEW, 1.5 * @usual.to_f ].max
      return false if Time.current < @draining_until

      raise Failure.new("#{left.values.sum.round} requests still wait #{@drain_by} after a rate that was too high: " \
        "#{left.map { |name, count| "#{count.round} in #{name}" }.to_sentence}",
        advice: "Let the search begin at a lower rate, or write by: runs, so that each rate has a run of its own.")
    end

    def end_search
      @searched = true
      answer = experiment.search.answer
      record_event :searched, "The search ends: #{answer["holds"] ? experiment.search.written(answer["holds"]) :
        "nothing"} holds#{", #{experiment.search.written answer["breaks"]} does not" if answer["breaks"]}"
      groups, under_test = clients.reject(&:over?).group_by(&:machine), system
      on_machines(groups.keys, groups) { |machine, jvms| under_test.shut_down machine, jvms }
    end

    def send_rate(rate)
      command = test_run.commands.create! target: "group:#{experiment.stepped_group.key}", line: "rate #{rate}",
        creator: experiment.creator
      command.deliver
      refused = command.replies.reload.reject(&:ok?)
      raise Failure.new("#{refused.first.jvm.name} did not take \"rate #{rate}\": #{refused.first.text}",
        jvm: refused.first.jvm, machine: refused.first.jvm.machine) if refused.any? && !over?
    end

    def figures_of(tried)
      now = counted
      ok, errors, late, ms = %w[ ok errors late ms ].map { |name| now[name] - @before[name] }
      { "throughput" => (ok * 1000.0 / ms if ms.positive?), **times_between(@before["times"], now["times"], errors),
        **MessageRates.between(@before, now, ms / 1000.0), **shares(errors: errors, late: late, of: ok + errors),
        **trend_of(tried) }
    end

    def shares(errors:, late:, of:)
      of.positive? ? { "errors" => errors * 100.0 / of, "late" => late * 100.0 / of } : {}
    end

    # Percentiles among failed requests are left out, as they are unknown.
    def times_between(before, after, failed)
      times = ResponseTimes.sum(after) - ResponseTimes.sum(before)
      return {} if times.count.zero?

      told = times.told(experiment.figures, failed: failed)
      { "mean" => times.mean, "max" => (times.max unless failed.positive?), **told.except("count", "at_least") }
        .compact.transform_values { |us| us / 1000.0 }
    end

    # The test is the one that the log analyzer applies to logs.
    def trend_of(tried)
      seen = test_run.samples.where(at: tried.measured_from..tried.measured_to).pluck(:figures)
      columns = { "requests in the clients" => seen.pluck("waiting"),
        "requests in the brokers" => seen.map { |it| it.dig("brokers", "queue") } }.reject { |_, all| all.include? nil }
      test_run.outcome.trend_of(columns)
    end

    def counted
      names, working = [ *%w[ ok errors late ], *told_by_all(MessageRates::COUNTS) ], clients.reject(&:over?)
      sums = names.index_with { |name| clients.sum { |client| client.progress[name].to_i } }
      { **sums, "ms" => working.sum { |client| client.progress["ms"].to_i }.fdiv([ working.size, 1 ].max),
        "times" => clients.filter_map(&:times) }
    end

    # Returns { "the clients" => 12, "the brokers" => 0 }.
    def waiting
      { "the clients" => [ clients, "waiting" ], "the brokers" => [ brokers, "queue" ] }
        .transform_values { |jvms, name| jvms.reject(&:over?).sum { |jvm| jvm.progress[name].to_f } }
    end
end
