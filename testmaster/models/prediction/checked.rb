# The run that checks a prediction: as the one that was asked, with what was asked for, and nothing else changed.
module Prediction::Checked
  extend ActiveSupport::Concern

  FIGURES = { "throughput" => "throughput", "response_ms" => "mean" } # what the model and the log analyzer call them
  OPEN_LOAD = { "arrivals" => "poisson", "rate.of" => "jvm", "inflight.max" => "1000" }

  included do
    belongs_to :check_run, class_name: "TestRun", optional: true, inverse_of: :checked_predictions
  end

  # Why it cannot be launched as it was asked; empty where it can be.
  def objections_to_check
    return [ "The prediction has not been made" ] unless completed?

    [ *standing_check, *objection_to_database, *objection_to_clients, *objection_to_brokers ]
  end

  # A run that is launched, or false, with the reasons among the errors; by one at a time.
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

  # Whether it says something about the prediction
  def checked?
    measured("throughput").present?
  end

  # What the check measured; nil before it is examined, and where it was not measured.
  def measured(figure)
    return unless check_run&.examined?

    exact = check_run.figures["exact"]&.fetch(FIGURES.fetch(figure), nil)
    figure == "response_ms" ? exact&.fdiv(1000) : exact
  end

  # { "value", "low", "high" }, [1/s] or [ms]
  def predicted(figure)
    answer.dig("answer", figure)
  end

  # [%] by which what was measured is above what was predicted
  def error_percent(figure)
    value, prediction = measured(figure), predicted(figure)&.fetch("value")
    (value / prediction - 1) * 100 if value && prediction&.positive?
  end

  # nil where it is not known
  def within?(figure)
    value, low, high = measured(figure), *predicted(figure)&.values_at("low", "high")
    value.between?(low, high || Float::INFINITY) if value && low
  end

  # How many times as long the fixed piece of work took on the machines of the check as on those of the run asked; nil
  # where one of them does not tell
  def times_slower
    asked, checked = test_run.outcome.fixed_work, check_run&.outcome&.fixed_work
    checked / asked if asked && checked
  end

  # Of a rate that was asked for, only the response time is a prediction.
  def figures_predicted
    rate ? FIGURES.keys - %w[ throughput ] : FIGURES.keys
  end

  # All of them within their intervals; nil before that is known
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

    # What each group has grows alike, and stays a whole number.
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
