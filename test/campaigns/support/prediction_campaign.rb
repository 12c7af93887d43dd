require_relative "stage"

# Asks models for predictions before it measures the same runs, with its own worker.
class PredictionCampaign
  BASES = {
    "8 clients, no think time" => { "clients" => 8, "settings" => { "message.size" => "100" } },
    "32 clients, think time 10 ms" => { "clients" => 32,
      "settings" => { "message.size" => "100", "think.time" => "exponential 10ms" } }
  }
  QUESTIONS = {
    "8 clients, no think time" => [ { clients: 8 }, { clients: 16 }, { clients: 32 }, { clients: 4 }, { workers: 1 },
      { workers: 8, connections: 8 }, { brokers: 2 } ],
    "32 clients, think time 10 ms" => [ { clients: 32 }, { clients: 64 }, { clients: 128 }, { clients: 16 },
      { workers: 1 } ]
  }
  TRIES = { base: 4, check: 2 } # attempts to get an accepted run: on a busy machine runs are often not steady
  FIGURES = Prediction::Checked::FIGURES

  def initialize(duration:)
    @duration = duration
  end

  # @return the exit code
  def run
    $stdout.sync = true
    Rails.logger.level = :warn
    Stage.open do |stage|
      Build.of("HEAD").perform { }
      stage.start_worker
      asked = BASES.to_h { |name, clients| [ name, ask(measure(name, clients), QUESTIONS.fetch(name)) ] }
      puts "#{asked.values.sum(&:size)} predictions made; now they are measured"
      asked.each_value { |predictions| predictions.each { |prediction| check prediction } }
      tell asked
      asked.values.flatten.all? { |prediction| prediction.reload.checked? } ? 0 : 1
    end
  end

  private
    def measure(name, clients)
      run = nil
      TRIES[:base].times do
        run = measure_once(name, clients)
        break if run.verdict.sound?
      end
      run
    end

    def measure_once(name, clients)
      run = TestRun.from_definition("name" => name, "revision" => "HEAD", "duration" => @duration, "warmup" => "8s",
        "cooldown" => "2s", "brokers" => [ { "scenario" => "Broker", "settings" => { "workers" => "2",
          "db.connections" => "2" } } ], "clients" => [ { "scenario" => "Only#sendMessage", **clients } ])
      run.launch or abort "#{name}: #{run.errors.full_messages.to_sentence}"
      await run
      puts "run #{run.id}, #{name}: #{run.figures.dig("exact", "throughput")&.round} /s, #{run.verdict.word}: " \
        "#{run.verdict.reason}"
      run
    end

    def ask(run, questions)
      questions.map do |question|
        prediction = run.predictions.create!(question)
        prediction.perform
        abort "#{prediction.title}: #{prediction.error}" unless prediction.completed?
        prediction
      end
    end

    # Checks run one at a time, so that the analysis of one does not disturb the next.
    def check(prediction)
      TRIES[:check].times do
        check_once prediction
        break if prediction.check_run.verdict.sound?
      end
    end

    def check_once(prediction)
      prediction.launch_check or abort "#{prediction.title}: #{prediction.errors.full_messages.to_sentence}"
      await prediction.check_run
      run = prediction.check_run
      puts "#{prediction.title}: #{run.verdict.word}: #{run.verdict.reason}"
    end

    def await(run)
      sleep 0.5 until run.reload.ended? && (run.examined? || !run.archive.attached?)
    end

    # Prints a table for docs/reference/models.md and the remarks of each model.
    def tell(asked)
      puts "", "| asked of | question | predicted /s | measured /s | error | predicted ms | measured ms | error " \
        "| within | the fixed work took | check |", "|---|---|---|---|---|---|---|---|---|---|---|"
      asked.each { |name, predictions| predictions.each { |prediction| puts row(name, prediction.reload) } }
      tell_outcome asked.values.flatten
      asked.each { |name, predictions| tell_model name, predictions.first }
    end

    def tell_outcome(predictions)
      verdicts = predictions.to_h { |prediction| [ prediction, prediction.confirmed? ] }
      errors = predictions.filter_map { |prediction| prediction.error_percent("throughput")&.abs }.sort
      puts "", "#{verdicts.values.count(true)} of #{verdicts.size} inside both intervals, " \
        "#{verdicts.values.count(nil)} not measured; error of the throughput: median #{number median(errors)} %, " \
        "most #{number errors.last} %"
    end

    def tell_model(name, prediction)
      answer, run = prediction.answer, prediction.test_run
      puts "", "#{name}: run #{run.id}, #{run.verdict.word}: #{run.verdict.reason}",
        *answer.values_at(*Prediction::DOUBTS).compact, *answer["remarks"],
        ApplicationController.helpers.calibration_in_words(answer["calibration"])
    end

    def row(name, prediction)
      cells = FIGURES.keys.flat_map do |figure|
        value, low, high = prediction.predicted(figure).values_at("value", "low", "high").map { |it| number it }
        [ "#{value} (#{low} to #{high})", number(prediction.measured(figure)),
          signed(prediction.error_percent(figure)) ]
      end
      "| #{[ name, prediction.title, *cells, within(prediction), speed(prediction),
        prediction.check_run.verdict.word.downcase ].join(" | ")} |"
    end

    # Rounds to four digits, such as 13,500 and 2.382.
    def number(value)
      return "–" unless value

      ActiveSupport::NumberHelper.number_to_rounded(value, precision: 4, significant: true, delimiter: ",",
        strip_insignificant_zeros: true)
    end

    def signed(percent)
      percent ? "#{percent.negative? ? "−" : "+"}#{number_of_tenths percent.abs} %" : "–"
    end

    def number_of_tenths(value)
      ActiveSupport::NumberHelper.number_to_rounded(value, precision: 1)
    end

    def median(sorted)
      (sorted[(sorted.size - 1) / 2] + sorted[sorted.size / 2]) / 2 if sorted.any?
    end

    # "1.05 x": the fixed work took 1.05 times as long as in the run that was asked.
    def speed(prediction)
      prediction.times_slower&.then { |times| "#{times.round(2)} x" } || "–"
    end

    def within(prediction)
      FIGURES.keys.map { |figure| { true => "yes", false => "no", nil => "–" }[prediction.within?(figure)] }.join(", ")
    end
end
