# The folder that a run has on a machine that stays. Whatever the run needs lies in it, and goes with it.
module Provider::Foldered
  REMOVED_WITHIN = 300 # seconds, as logs may be many gigabytes

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

  # Nothing of the run is left running, nothing is left lying about.
  def release(machine)
    machine.shell.execute! folder_script(REMOVE, machine), timeout: REMOVED_WITHIN if machine.reference?
  end

  private
    def folder_script(template, machine)
      format template, folder: folder_of(machine).shellescape, owner: "#{machine.id}/#{machine.created_at.to_fs(:usec)}".shellescape
    end
end
