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

  # Converts us to ms, and bytes to MB.
  def calibrated_in_words(figure, value)
    value ? quantity(plain_calibrated(figure, value), figure == "network" ? "MB/s" : "ms") : none
  end

  # Returns a text such as "0.20 ms (0.17 to 0.31)".
  def normal_in_words(figure, normal)
    return none unless normal

    safe_join [ calibrated_in_words(figure, normal["median"]), " ", tag.span("(#{range_of_normal figure, normal})",
      class: "hint") ]
  end

  # Returns a text such as "0.41 ms (0.20, 0.17 to 0.31)", or how many calibrations a normal lacks.
  def compared_in_words(calibration, figure)
    return none unless calibration[figure]

    normal = calibration.normal(figure)
    known = normal ? "#{plain_calibrated figure, normal["median"]}, #{range_of_normal figure, normal}" :
      "#{calibration.known figure} of #{Machine::Calibration::LEAST} before"
    safe_join [ (safe_join([ check_state("rejected"), " " ]) if calibration.departed?(figure)),
      calibrated_in_words(figure, calibration[figure]), " ", tag.span("(#{known})", class: "hint") ].compact
  end

  def why_left_over(machine)
    run = machine.test_run

    case
    when run.nil?      then "Not assigned to a run"
    when run.at_work?  then safe_join([ "Past its time limit, allocated to ", link_to("run #{run.id}", run) ])
    else safe_join([ link_to("Run #{run.id}", run), " is over" ])
    end
  end

  private
    def plain_calibrated(figure, value)
      return rate_of(value / 1e6) if figure == "network"

      number_with_precision value / 1000.0, precision: value < 1000 ? 3 : 2, delimiter: ","
    end

    def range_of_normal(figure, normal)
      normal.values_at("low", "high").map { |value| plain_calibrated(figure, value) }.join(" to ")
    end
end
