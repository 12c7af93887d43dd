# Ends monitor.sh, and waits for its end. Its measurements are written in whole lines.
# usage: stop_monitor.sh FOLDER
cd "$1/monitor" 2>/dev/null || exit 0
touch stop
# shellcheck disable=SC2094 # pid is read, and its process is ended
if read -r pid 2>/dev/null <pid && [ "/proc/$pid/cwd" -ef . ]; then kill "$pid" 2>/dev/null; fi
for _ in $(seq 250); do
  [ ! -e exit_code ] || break
  sleep 0.02
done
