# Starts a program that outlives whoever asked for it. Its folder gets pid, keeper, logs/stdout.log, logs/stderr.log and
# at the end exit_code. Folder and pid file belong to it from its first moment on: started again while it runs, or after
# it ran, nothing happens, also where whoever asked for it was killed before there was a pid file. The environment comes
# by standard input, so that no list of processes shows it, as lines NAME=VALUE, and ends with an empty line: input that
# is cut off starts nothing.
# usage: start.sh FOLDER COMMAND      COMMAND: one program with its arguments, as a line for the shell
folder=$1 command=$2
cd "$folder" || exit 1
exec 9>.starting && flock 9
if [ -e pid ] || [ -e exit_code ]; then exit 0; fi
while IFS= read -r line || exit 1; do
  [ -n "$line" ] || break
  export "${line?}"
done
# The keeper holds the lock until there is a pid file: nobody starts another keeper meanwhile.
# shellcheck disable=SC2016 # the keeper's own shell expands these
setsid sh -c '
  mkdir -p logs
  echo $$ >keeper
  eval "exec $1" >logs/stdout.log 2>logs/stderr.log 9>&- &
  echo $! >pid.new
  mv pid.new pid
  exec 9>&-
  wait $!
  echo $? >exit_code.new
  mv exit_code.new exit_code
' keeper "$command" </dev/null >/dev/null 2>&1 &
for _ in $(seq 3000); do
  if [ -e pid ]; then exit 0; fi
  sleep 0.01
done
echo "no pid file after 30 s" >&2
exit 1
