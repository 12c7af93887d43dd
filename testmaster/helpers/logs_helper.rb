module LogsHelper
  # Renders a letter in the colour of the JVM in the charts.
  def letter_of_jvm(test_run, jvm)
    @numbers ||= test_run.jvms.map(&:name).each_with_index.to_h
    n = @numbers.fetch(jvm)
    tag.span ("A".."Z").to_a[n] || n + 1, class: "letter d#{n % 6 + 1}", title: jvm
  end

  def time_of_line(moment)
    moment.utc.strftime("%H:%M:%S.%L")
  end

  # Highlights the words of the search.
  def found_in(text, words)
    return text if words.blank?

    safe_join text.split(/(#{Regexp.escape words})/i).each_with_index.map { |part, n| n.odd? ? tag.mark(part) : part }
  end

  STATES_OF_THREADS = { "RUNNABLE" => "Runnable", "BLOCKED" => "Blocked", "WAITING" => "Waiting",
    "TIMED_WAITING" => "Waiting for a time", "NEW" => "New", "TERMINATED" => "Ended" }

  def word_of_threads(group)
    STATES_OF_THREADS.fetch(group.state)
  end

  def why_no_lines(selection)
    case
    when selection.filtered? || selection.from || selection.to || selection.names.any? then "No line is like that."
    when selection.logs.any? then "The logs that people read are empty."
    else "There are no logs."
    end
  end
end
