# How JVMs are: of each a line "NAME none|alive|lost|exited CODE", then the end of what it said. Between a JVM's end and
# its exit code stands its keeper, which on a busy machine may take its time: until then the JVM has not ended.
# usage: glance.sh FOLDER JVM...
cd "$1" || exit 1
shift
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
    state="exited $code"
  fi
  echo "$jvm $state"
  if [ -s "$jvm/logs/stdout.log" ]; then tail -n 2 "$jvm/logs/stdout.log"; fi
done
