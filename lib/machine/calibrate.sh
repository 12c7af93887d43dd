# Measures a machine before the load: prints the processor time [us] that monitor.sh's fixed piece of work takes, twenty
# times, then what the command prints, which times flushes of the disk.
# usage: calibrate.sh FOLDER COMMAND...
cd "$1" || exit 1
shift
sh "$(dirname "$0")/monitor.sh" "" 20 || exit 1
exec timeout 10 "$@" </dev/null
