# Prints the state of JVMs. For each: a line "NAME none|alive|lost|exited CODE AGE" (AGE: milliseconds since the exit),
# a line "times HISTOGRAM" if it measures response times, and the end of its output. The keeper of a JVM writes its exit
# code, with a delay on a busy machine; until then the JVM counts as alive. The last two lines "machine …" have the
# latest measurements of the machine.
# usage: glance.sh FOLDER TIMES JVM...      TIMES: the file of response times in the folder of a JVM, as a pattern
cd "$1" || exit 1
times=$2
shift 2
for jvm in "$@"; do
  pid='' keeper='' state=none
  if [ -e "$jvm/pid" ]; then
    read -r pid <"$jvm/pid"
    state=lost
  fi
  if [ -e "$jvm/keeper" ]; then read -r keeper <"$jvm/keeper"; fi
  for process in $pid $keeper; do
    if [ "/proc/$process/cwd" -ef "$jvm" ]; then state=alive; fi
  done
  if [ -e "$jvm/exit_code" ]; then
    read -r code <"$jvm/exit_code"
    state="exited $code $(($(date +%s%3N) - $(date -r "$jvm/exit_code" +%s%3N)))"
  fi
  echo "$jvm $state"
  for file in "$jvm"/$times; do
    if [ -s "$file" ]; then echo "times $(head -c 200000 "$file")"; fi
  done
  if [ -s "$jvm/logs/stdout.log" ]; then tail -n 2 "$jvm/logs/stdout.log"; fi
done
if [ -s monitor/machine.csv ]; then tail -n 2 monitor/machine.csv | sed "s/^/machine /"; fi
