# Sends a signal to each JVM that runs.
# usage: signal.sh FOLDER SIGNAL JVM...
cd "$1" || exit 0
signal=$2
shift 2
for jvm in "$@"; do
  if [ ! -e "$jvm/pid" ] || [ -e "$jvm/exit_code" ]; then continue; fi
  read -r pid <"$jvm/pid"
  if [ "/proc/$pid/cwd" -ef "$jvm" ]; then kill -s "$signal" "$pid"; fi
done
