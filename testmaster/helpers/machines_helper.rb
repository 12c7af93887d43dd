module MachinesHelper
  # Returns a text such as "Ready" or "Kept for the next run of experiment 3".
  def state_of_machine(machine)
    return machine.state.humanize unless machine.kept? && experiment = machine.test_run&.experiment

    safe_join([ "Kept for the next run of ", link_to("experiment #{experiment.id}", experiment) ])
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
