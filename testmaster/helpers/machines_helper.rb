module MachinesHelper
  # Returns a text such as "Ready" or "Kept for the next run of experiment 3".
  def state_of_machine(machine)
    return machine.state.humanize unless machine.kept? && experiment = machine.test_run&.experiment

    safe_join([ "Kept for the next run of ", link_to("experiment #{experiment.id}", experiment) ])
  end

  HEADS_OF_CALIBRATION = { "processor" => "Fixed work", "flush" => "Disk flush", "round_trip" => "Round trip",
    "network" => "Network" }

  def head_of_calibration(figure)
    HEADS_OF_CALIBRATION.fetch(figure)
  end

  # Returns the figures that were measured.
  def figures_of_calibration(calibration)
    Machine::Calibration::FIGURES.keys.select { |figure| calibration[figure] }
  end

  # Converts us to ms, and bytes to MB.
  def calibrated_in_words(figure, value)
    return none unless value

    figure == "network" ? quantity(rate_of(value / 1e6), "MB/s") : quantity(number_with_precision(value / 1000,
      precision: value < 1000 ? 3 : 2, delimiter: ","), "ms")
  end

  # Returns a text such as "0.20 ms (0.17 to 0.31 ms of 7)".
  def normal_in_words(figure, normal)
    return none unless normal

    median, low, high = normal.values_at("median", "low", "high").map { |value| calibrated_in_words(figure, value) }
    safe_join([ median, " ", tag.span(safe_join([ "(", low, " to ", high, ")" ]), class: "hint nowrap") ])
  end

  def why_left_over(machine)
    run = machine.test_run

    case
    when run.nil?      then "Not assigned to a run"
    when run.at_work?  then safe_join([ "Past its time limit, allocated to ", link_to("run #{run.id}", run) ])
    else safe_join([ link_to("Run #{run.id}", run), " is over" ])
    end
  end
end
