# Prints the state of JVMs, for each a line "NAME none|alive|lost|exited CODE AGE" (AGE: milliseconds since the exit).
# The keeper of a JVM writes its exit code, with a delay on a busy machine; until then the JVM is alive. Then come
# the ends of files, each below a line "==> FOLDER/FILE <==": response times and output of JVMs, and the measurements of
# the machine. This runs once a second during the load, and starts few processes, however many JVMs there are.
# usage: glance.sh FOLDER TIMES JVM...      TIMES: the file of response times in the folder of a JVM, as a pattern
cd "$1" || exit 1
times=$2
shift 2
histograms='' outputs=''
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
    if [ -s "$file" ]; then histograms="$histograms $file"; fi
  done
  if [ -s "$jvm/logs/stdout.log" ]; then outputs="$outputs $jvm/logs/stdout.log"; fi
done
if [ -s monitor/machine.csv ]; then outputs="$outputs monitor/machine.csv"; fi
# shellcheck disable=SC2086 # one word for each file
if [ -n "$histograms" ]; then head -v -c 200000 $histograms; echo; fi
# shellcheck disable=SC2086
if [ -n "$outputs" ]; then tail -v -n 2 $outputs; fi
exit 0
