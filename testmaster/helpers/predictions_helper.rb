module PredictionsHelper
  PICTURES_OF_MODEL = { "closed_throughput" => "Throughput over clients",
    "closed_response" => "Response time over clients",
    "waiting_over_utilisation" => "Waiting for a worker over utilisation" }
  OUTCOMES = { true => [ "finished", "Inside its interval" ], false => [ "failed", "Outside" ] }

  # Returns the values for the next prediction, which start with the present ones.
  def next_question(prediction)
    return prediction unless prediction.persisted?

    Prediction.new(test_run: prediction.test_run, **prediction.slice(*Prediction::CHANGES))
  end

  def word_of_model_picture(name)
    PICTURES_OF_MODEL.fetch(name, name.humanize)
  end

  def caption_of_model_picture(name, answer)
    return "point: measured; line: model; dashed line: beyond what was measured" if name.start_with?("closed")

    "lines: model with Poisson arrivals and this run's service times" \
      "#{", which include the wait for a batch" if answer["batch"]}; point: measured mean"
  end

  def predicted_number(figure, value)
    figure == "throughput" ? rate_of(value) : milliseconds(value * 1000)
  end

  # Returns a text such as "11,880 to 13,600".
  def predicted_range(figure, values)
    low, high = values.values_at("low", "high").map { |value| predicted_number figure, value if value }
    return "from #{low} on, without an upper end" if high.nil?

    low == high ? "interval narrower" : "#{low} to #{high}"
  end

  # Draws the prediction and, below it, the measured value, from 0 to the largest.
  def strip_of_prediction(prediction, figure, most)
    values, measured = prediction.predicted(figure), prediction.measured(figure)
    at = ->(value) { "#{(value / most * 100).clamp(0, 100).round(2)}%" }
    words = "predicted #{predicted_number figure, values["value"]}, #{predicted_range figure, values}"
    words += measured ? "; measured #{predicted_number figure, measured}" : ", not measured"
    tag.svg class: "interval interval--2", role: "img", aria: { label: words } do
      safe_join [ tag.g(class: "d1") { safe_join [ tag.line(class: "whisk", x1: at[values["low"]],
        x2: at[values["high"] || most], y1: "25%", y2: "25%"),
        tag.circle(class: "dot", cx: at[values["value"]], cy: "25%", r: 4) ] },
        (tag.g(tag.circle(class: "dot", cx: at[measured], cy: "75%", r: 4), class: "d2") if measured) ].compact
    end
  end

  # Returns the largest value of the pictures side by side, with a margin.
  def most_of_predictions(predictions, figure)
    predictions.select(&:completed?).flat_map { |prediction|
      [ *prediction.predicted(figure).values_at("value", "high"), prediction.measured(figure) ]
    }.compact.max.to_f * 1.05
  end

  def interval_of_answer(figure, values, *others)
    most = [ values["value"], values["high"], *others ].compact.max.to_f * 1.1
    at = ->(value) { most.zero? ? "0%" : "#{(value / most * 100).round(2)}%" }
    tag.svg class: "interval", role: "img", aria: { label: "#{predicted_number figure, values["value"]}, " \
      "#{predicted_range figure, values}" } do
      safe_join [ tag.line(class: "base", x1: 0, x2: "100%", y1: "50%", y2: "50%"),
        tag.line(class: "whisk", x1: at[values["low"]], x2: at[values["high"] || most], y1: "50%", y2: "50%"),
        tag.circle(class: "dot", cx: at[values["value"]], cy: "50%", r: 4) ]
    end
  end

  # Draws the utilization of a station as a bar, its uncertainty, and a dashed mark for the original run.
  def bar_of_station(station)
    busy, then_busy = station["utilisation"], station["measured_utilisation"]
    at = ->(share) { "#{(share * 100).clamp(0, 100).round(2)}%" }
    tag.svg class: "util", role: "img", aria: { label: "#{percent_of busy["value"]} %, #{percent_of busy["low"]} to " \
      "#{percent_of busy["high"]}; in the run #{percent_of then_busy}" } do
      safe_join [ tag.rect(class: "bed", width: "100%", y: "15%", height: "70%", rx: 2),
        tag.rect(class: "fill", width: at[busy["value"]], y: "15%", height: "70%", rx: 2),
        tag.line(class: "whisk", x1: at[busy["low"]], x2: at[busy["high"]], y1: "50%", y2: "50%"),
        tag.line(class: "today", x1: at[then_busy], x2: at[then_busy], y1: "-10%", y2: "110%") ]
    end
  end

  # Returns a text such as "450 (440 to 461)".
  def microseconds_of(values)
    value, low, high = values.values_at("value", "low", "high").map do |us|
      number_with_precision us, precision: us < 10 ? 1 : 0, delimiter: ","
    end
    "#{value} (#{low} to #{high})"
  end

  FAR = 2 # times the throughput of the run

  # Returns what the prediction tells of and the run did not show.
  def beyond_measured(answer)
    clients = answer.dig("answer", "clients").to_i
    times = answer["capacity"].to_f / (answer.dig("calibration", "measured") || Float::INFINITY)
    [ *answer["not_measured"], *("#{number_with_delimiter clients} clients" if clients > answer["measured_to"]),
      *("the rate of the bottleneck, #{times.round} times that of the run" if times >= FAR) ]
  end

  # Describes how well the model reproduces the original run, before and after its calibration.
  def calibration_in_words(calibration)
    words = "For the run itself the model predicts #{rate_of calibration["predicted"]} /s, measured: " \
      "#{rate_of calibration["measured"]} /s: #{signed_percent calibration["error_percent"]} %"
    response, before = calibration.values_at("response_ms", "before_fit")
    return "#{words}." unless response && before # predictions before 2026-11-22

    "#{words}; #{milliseconds response["predicted"] * 1000} ms, " \
      "measured: #{milliseconds response["measured"] * 1000} ms: #{signed_percent response["error_percent"]} %. " \
      "Before fitting: #{signed_percent before["error_percent"]} % and " \
      "#{signed_percent before["response_error_percent"]} %."
  end

  def percent_of(share)
    (share * 100).round
  end

  def signed_percent(value)
    "#{value.negative? ? "−" : "+"}#{number_with_precision value.abs, precision: 1}"
  end

  # Returns "±80" for the figure of the check, if it is known.
  def doubt_of_check(run)
    rate = run.figures["rate"] || {}
    "±#{rate_of rate["high"] - rate["value"]}" if rate["high"]
  end

  def outcome_of_check(prediction)
    run = prediction.check_run
    case
    when run.nil?                        then tag.span("not launched", class: "muted")
    when !prediction.confirmed?.nil?     then state_tag(*OUTCOMES.fetch(prediction.confirmed?))
    when run.ended? && !run.archive.attached? then state_tag("failed", "The check has measured nothing")
    when run.ended?                      then state_tag("examining", "Being examined")
    else state_tag(run.state)
    end
  end

  # Returns a text such as "4 of 6 inside their interval, median error 1.8 %".
  def predictions_in_words(predictions)
    checked = predictions.reject { |prediction| prediction.confirmed?.nil? }
    return "no run has checked any yet" if checked.empty?

    errors = checked.map { |it| it.error_percent(it.figures_predicted.first).abs }.sort
    "#{checked.count(&:confirmed?)} of #{checked.size} checked inside their intervals, median error " \
      "#{number_with_precision (errors[(errors.size - 1) / 2] + errors[errors.size / 2]) / 2, precision: 1} %"
  end
end
