# Starts a program that outlives this session. Its folder gets pid, keeper, logs/stdout.log, logs/stderr.log and at the
# end exit_code. A second start of the same program does nothing, while it runs or afterwards, even if the first caller
# was killed before there was a pid file. Standard input contains the environment as lines NAME=VALUE up to an empty
# line, so that no list of processes shows it. Input that is cut off starts nothing.
# usage: start.sh FOLDER COMMAND      COMMAND: one program with its arguments, as a line for the shell
folder=$1 command=$2
cd "$folder" || exit 1
exec 9>.starting && flock 9
if [ -e pid ] || [ -e exit_code ]; then exit 0; fi
while IFS= read -r line || exit 1; do
  [ -n "$line" ] || break
  export "${line?}"
done
# The keeper holds the lock until there is a pid file, so that no other keeper starts meanwhile.
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
