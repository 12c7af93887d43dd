module MachinesHelper
  def why_left_over(machine)
    run = machine.test_run

    case
    when run.nil?      then "Not assigned to a run"
    when run.at_work?  then safe_join([ "Past its time, held by ", link_to("run #{run.id}", run) ])
    else safe_join([ link_to("Run #{run.id}", run), " is over" ])
    end
  end
end
