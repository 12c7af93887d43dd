# Has monitor.sh end, and waits until it has.
# usage: stop_monitor.sh FOLDER
cd "$1/monitor" 2>/dev/null || exit 0
touch stop
for _ in $(seq 50); do
  [ ! -e exit_code ] || break
  sleep 0.1
done
