# The folder that a run has on a host. Whatever the run needs lies in it, and goes with it.
module Provider::Ssh::Foldered
  # Two Testmasters that use the same host do not meet: a folder says whose it is.
  MAKE = <<~'SH'
    mkdir -p %{folder} && cd %{folder} || exit 1
    if [ -z "$(ls -A)" ]; then echo %{owner} >.owner; fi
    if [ "$(cat .owner 2>&1)" != %{owner} ]; then echo "$(pwd -P) belongs to another Testmaster" >&2; exit 1; fi
    pwd -P
  SH

  # A process belongs to the run whose folder it works in; a pid alone may by now be somebody else's.
  REMOVE = <<~'SH'
    cd %{folder} 2>/dev/null || exit 0
    if [ -e .owner ] && [ "$(cat .owner)" != %{owner} ]; then exit 0; fi
    folder=$(pwd -P)
    case $folder in */run_[0-9]*) ;; *) echo "$folder is no folder of a run" >&2; exit 1;; esac
    cd /
    pattern=$(printf %%s "$folder" | sed 's/[][*?\\]/\\&/g')
    left() { find /proc -maxdepth 2 -name cwd \( -lname "$pattern" -o -lname "$pattern/*" \) 2>/dev/null | cut -d / -f 3; }
    for signal in TERM KILL; do
      pids=$(left)
      [ -n "$pids" ] || break
      kill -s $signal $pids 2>/dev/null
      for _ in $(seq 50); do [ -n "$(left)" ] || break; sleep 0.1; done
    done
    pids=$(left)
    if [ -n "$pids" ]; then echo "these processes do not end:" $pids >&2; exit 1; fi
    rm -rf "$folder"
  SH

  # Nothing of the run is left running, nothing is left lying about. A host that does not let us in is given up where nothing can
  # have been started, or where it was taken from the list.
  def release(machine)
    machine.shell.execute! script(REMOVE, machine) if machine.reference?
  rescue Machine::Unreachable, Machine::Refused
    raise if machine.directory? && listed?(machine)
  end

  private
    # Returns where it is, in full.
    def make_folder(machine)
      machine.shell.execute!(script(MAKE, machine)).output.chomp
    end

    def script(template, machine)
      path = machine.directory || "#{folder}/run_#{machine.test_run_id}"
      format template, folder: path.shellescape, owner: "#{machine.id}/#{machine.created_at.to_fs(:usec)}".shellescape
    end

    def listed?(machine)
      Provider::Ssh::Host.parse(machine.reference).address.in? host_list.map(&:address)
    end
end
