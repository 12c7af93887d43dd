module FiguresHelper
  # Formats 372 as "6:12" and 3723 as "1:02:03".
  def clock(seconds)
    minutes, rest = seconds.to_i.abs.divmod(60)
    hours, minutes = minutes.divmod(60)
    text = hours.positive? ? format("%d:%02d:%02d", hours, minutes, rest) : format("%d:%02d", minutes, rest)
    seconds.to_i.negative? ? "−#{text}" : text
  end

  def rate_of(value)
    number_with_precision value, precision: value.to_f.abs < 100 ? 1 : 0, delimiter: ","
  end

  # Converts us to ms.
  def milliseconds(value)
    number_with_precision value / 1000.0, precision: value < 1000 ? 2 : value < 1_000_000 ? 1 : 0, delimiter: ","
  end

  def rate(value)
    value ? quantity(rate_of(value), "/s") : none
  end

  def response_time(value)
    value ? quantity(milliseconds(value), "ms") : none
  end

  def messages_in_words(value)
    value ? quantity(count_of_messages(value), "messages") : none
  end

  def count_of_messages(value)
    number_with_precision value, precision: 0, delimiter: ","
  end

  def copies_in_words(value)
    value ? quantity(count_of_copies(value), "copies") : none
  end

  def requests_in_words(value)
    value ? quantity(count_of_copies(value), "requests") : none
  end

  def count_of_copies(value)
    number_with_precision value, precision: 2, delimiter: ","
  end

  def first_messages_in_words(figures)
    figures.dig("exact", "first_count")&.then { |count| "of #{pluralize count.to_i, "subscription"} made under load" }
  end

  # Converts us to s.
  def seconds_in_words(value)
    value ? quantity(seconds_of(value), "s") : none
  end

  def seconds_of(value)
    number_with_precision value / 1e6, precision: value < 100_000_000 ? 1 : 0, delimiter: ","
  end

  # Returns the share of errors or late starts among all requests in per cent.
  def share(part, ok, errors)
    all = ok.to_i + errors.to_i
    all.positive? ? part.to_i * 100.0 / all : 0.0
  end

  def percent(value)
    number_with_precision value, precision: value.zero? || value >= 1 ? 1 : 3
  end

  def big_number(value)
    number_to_human value, units: { thousand: "k", million: "M", billion: "G" }, precision: 3, format: "%n %u"
  end

  def ago(time)
    tag.time time_in_words(time), datetime: time.iso8601, title: time.strftime("%-d %B %Y %H:%M UTC")
  end

  def spark(points)
    x = ->(n) { (n * 100.0 / (Measurement::SPARK - 1)).round(1) }
    top = points.compact.max.to_f
    return if points.compact.size < 2 || top.zero?

    places = points.each_with_index.filter_map { |value, n| [ x[n], (20 - value / top * 18).round(1) ] if value }
    path = "M" + places.map { |place| place.join(" ") }.join("L")
    tag.svg class: "spark", viewBox: "0 0 100 20", preserveAspectRatio: "none", aria: { hidden: true } do
      tag.path(class: "area",
        d: "#{path}L#{places.last.first} 20L#{places.first.first} 20Z") + tag.path(d: path) + tag.path(class: "end",
          d: "M#{places.last.join(" ")}h0")
    end
  end

  private
    def time_in_words(time)
      case
      when time > 1.minute.ago then "just now"
      when time > 1.hour.ago   then "#{((Time.current - time) / 60).floor} min ago"
      when time > 12.hours.ago then "#{((Time.current - time) / 3600).floor} h ago"
      when time.today?         then time.strftime("%H:%M UTC")
      when time.yesterday?     then "yesterday"
      when time > 6.days.ago   then time.strftime("%A")
      else time.strftime("%-d %B %Y")
      end
    end
end
