# Launches the run that checks a prediction: a copy of the original run with only the predicted changes.
module Prediction::Checked
  extend ActiveSupport::Concern

  FIGURES = { "throughput" => "throughput", "response_ms" => "mean" } # names of the model => names of the log analyzer
  OPEN_LOAD = { "arrivals" => "poisson", "rate.of" => "jvm", "inflight.max" => "1000" }

  included do
    belongs_to :check_run, class_name: "TestRun", optional: true, inverse_of: :checked_predictions
  end

  # Returns the launch blockers of the check; an empty list if there are none.
  def objections_to_check
    return [ "The prediction has not been made" ] unless completed?

    [ *standing_check, *objection_to_database, *objection_to_clients, *objection_to_brokers ]
  end

  # Returns the launched run, or false with the reasons among the errors. One caller at a time launches it.
  def launch_check
    with_lock do
      objections_to_check.each { |objection| errors.add :base, objection }
      return false if errors.any?

      run = check_to_be
      if run.launch
        update! check_run: run
      else
        run.errors.full_messages.each { |message| errors.add :base, message }
        false
      end
    end
  end

  # Returns whether the check has figures to compare.
  def checked?
    measured("throughput").present?
  end

  # Returns the figure that the check measured; nil before its analysis, or if it was not measured.
  def measured(figure)
    return unless check_run&.examined?

    exact = check_run.figures["exact"]&.fetch(FIGURES.fetch(figure), nil)
    figure == "response_ms" ? exact&.fdiv(1000) : exact
  end

  # Returns { "value", "low", "high" } in 1/s or ms.
  def predicted(figure)
    answer.dig("answer", figure)
  end

  # Returns by how many per cent the measured figure is above the predicted one.
  def error_percent(figure)
    value, prediction = measured(figure), predicted(figure)&.fetch("value")
    (value / prediction - 1) * 100 if value && prediction&.positive?
  end

  # Returns nil if it is unknown.
  def within?(figure)
    value, low, high = measured(figure), *predicted(figure)&.values_at("low", "high")
    value.between?(low, high || Float::INFINITY) if value && low
  end

  # Returns the ratio of the times for the fixed piece of work on the machines of the check and of the original run; nil
  # if one is unknown.
  def times_slower
    asked, checked = test_run.outcome.fixed_work, check_run&.outcome&.fixed_work
    checked / asked if asked && checked
  end

  # If a rate is given, only the response time is predicted.
  def figures_predicted
    rate ? FIGURES.keys - %w[ throughput ] : FIGURES.keys
  end

  # Returns whether all figures lie within their intervals; nil before that is known.
  def confirmed?
    verdicts = figures_predicted.map { |figure| within?(figure) }
    verdicts.all? if verdicts.none?(&:nil?)
  end

  private
    def standing_check
      if check_run && !check_run.verdict&.name.in?(%w[ failed cancelled not_accepted unknown ])
        "Run #{check_run_id} checks it already"
      end
    end

    def objection_to_database
      if other_database?
        "A database #{ActiveSupport::NumberHelper.number_to_rounded database_faster, precision: 3,
          strip_insignificant_zeros: true} times as fast cannot be launched: ask without it, or run on other hardware"
      end
    end

    def objection_to_clients
      return if clients.nil?

      groups = test_run.client_groups
      indivisible(clients, "clients", groups.map(&:total), groups.map(&:client_count)) || too_many_clients
    end

    def too_many_clients
      all = test_run.definition.clients_in_all
      if most = test_run.client_groups.map { |group| scaled(group.client_count, clients, all) }.max
        "#{most} clients in each JVM are more than 1,000: ask with more JVMs in the run" if most > 1_000
      end
    end

    def objection_to_brokers
      return if brokers.nil?

      groups = test_run.broker_groups
      counts = test_run.provider.one_machine? ? groups.map(&:total) : groups.map(&:machine_count)
      indivisible(brokers, "brokers", groups.map(&:total), counts)
    end

    # All groups grow by the same factor, and counts stay whole numbers.
    def indivisible(asked, noun, totals, counts)
      all = totals.sum
      step = counts.map { |count| all / all.gcd(count) }.reduce(1, :lcm)
      return if (asked % step).zero?

      nearest = [ asked / step * step, (asked / step + 1) * step ].select(&:positive?)
      "#{asked} #{noun} cannot be divided among the groups of the run: ask for #{nearest.to_sentence(
        two_words_connector: " or ")}"
    end

    def check_to_be
      all_brokers, all_clients = test_run.definition.brokers_in_all, test_run.definition.clients_in_all
      test_run.duplicate.tap do |run|
        run.name = "#{test_run.name.gsub(/\p{Cntrl}+/, " ").first(50)}, what if #{title}".first(100)
        run.revision = test_run.measured_revision if test_run.measured_revision
        run.description = "Checks what was predicted from run #{test_run_id}."
        run.broker_groups.each { |group| change_broker group, all_brokers }
        run.client_groups.each { |group| change_client group, all_clients }
      end
    end

    def change_broker(group, all)
      settings = { "workers" => workers, "db.connections" => connections }.compact.transform_values(&:to_s)
      group.settings = group.settings.merge(settings)
      if brokers && group.definition.provider.one_machine?
        group.assign_attributes machine_count: 1, jvm_count: scaled(group.total, brokers, all)
      elsif brokers
        group.machine_count = scaled(group.machine_count, brokers, all)
      end
    end

    def change_client(group, all)
      if rate
        share = rate * group.client_count / all
        group.settings = group.settings.except("think.time", "steps").merge("rate" => "#{share}/s", **OPEN_LOAD)
      elsif clients
        group.client_count = scaled(group.client_count, clients, all)
      end
    end

    def scaled(count, asked, all)
      count * asked / all
    end
end
