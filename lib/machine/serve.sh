#!/bin/bash
# Runs a system under test in the folder of a broker: starts its server as an unprivileged user, with all its data in
# that folder, and supervises it. Once a second it prints a line of JSON: the server's state, the processor time and
# memory of its processes, and its own counters; the same is appended to logs/counters.csv. It carries out the lines of
# its command file like a JVM (see ask.sh). When this script ends, it ends the server; when the server ends, this script
# ends with the same exit code.
# usage: serve.sh SYSTEM HOST PORT      in the folder of the broker; HOST: the address to listen on
# MLMQ_DRIVER_PASSWORD contains the password of the server's clients. serve_SYSTEM.sh beside this defines the system. It
# sets user, and has these functions: prepare (once, before the first start), launch (becomes the server), ready,
# version, settings (in force), look (sets the words of FIGURES, "-" for an unknown one) and halt (asks PID to end).
set -u
# shellcheck disable=SC2034 # the other scripts use them
system=$1 host=$2 port=$3 password=${MLMQ_DRIVER_PASSWORD-} reply=''
folder=$PWD
FIGURES=(queue unacknowledged received delivered connections) # received and delivered are totals
GRACE=12 # seconds in which a server must end by itself
state=starting server='' version='' asked_to_end='' figures=() reader=''

fail() { echo "$*" >&2; exit 1; }
export LC_ALL=C.UTF-8 TZ=UTC

# Prints a port on which nobody listens.
# shellcheck disable=SC2317,SC2329 # called by the other scripts
free_port() {
  local taken candidate
  taken=" $(awk '$4 == "0A" { split($2, a, ":"); printf "%s ", a[2] }' /proc/net/tcp /proc/net/tcp6 2>/dev/null)"
  while :; do
    candidate=$((20000 + RANDOM % 10000))
    [ "$candidate" = "$port" ] || [[ $taken = *" $(printf %04X "$candidate") "* ]] || break
  done
  echo "$candidate"
}

# shellcheck source=/dev/null # one of those beside this
. "$(dirname "$0")/serve_$system.sh" || fail "no system $system"

# Runs as the server's user; become does not return.
as() { "$@"; }
become() { exec "$@"; }
if [ "$(id -u)" = 0 ]; then
  id -u "$user" >/dev/null 2>&1 || user=nobody
  as() { setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups -- "$@"; }
  become() { exec setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups -- "$@"; }
fi

# Returns whether the server has logged this since its last start.
# shellcheck disable=SC2317,SC2329 # called by the other scripts
has_said() { grep -q -e "$1" <(tail -c "+$((said_before + 1))" logs/server.log); }

now() { local t=$EPOCHREALTIME; echo "${t/./}" | cut -c 1-13; }

# Prints processor time [ticks] and memory [KB] of the server and its descendants. Private memory is added up; shared
# memory counts once.
measure() {
  awk -v root="$1" '
    function look(p,    file, line, f, n, kids, i) {
      file = "/proc/" p "/stat"
      if ((getline line < file) <= 0) return
      close(file); sub(/^.*\) /, "", line); split(line, f, " ")
      ticks += f[12] + f[13] + f[14] + f[15]
      file = "/proc/" p "/status"
      while ((getline line < file) > 0) {
        split(line, f, " ")
        if (f[1] == "RssAnon:") own += f[2]
        if (f[1] == "RssShmem:" && f[2] > shared) shared = f[2]
      }
      close(file); file = "/proc/" p "/task/" p "/children"; kids = ""
      getline kids < file; close(file)
      n = split(kids, list_of, " ")
      for (i = 1; i <= n; i++) waiting[++last] = list_of[i]
    }
    BEGIN {
      waiting[last = 1] = root
      for (next_one = 1; next_one <= last; next_one++) look(waiting[next_one])
      printf "%.0f %.0f\n", ticks, own + shared
    }' 2>/dev/null
}

ticks_a_second=$(getconf CLK_TCK) processors=$(getconf _NPROCESSORS_ONLN)
measured_ms='' measured_ticks=0 handled=0 handled_ms=''

# Adds a value to the line if it is known.
add() { [ -z "$2" ] || line+=",\"$1\":$2"; }

tell() {
  local ms ticks='' kilobytes='' passed cpu='' rate='' memory all line
  ms=$(now) figures=()
  line="{\"state\":\"$state\",\"ms\":$ms"
  add version "${version:+\"$version\"}"
  if [ "$state" != down ]; then
    read -r ticks kilobytes < <(measure "$server")
    memory=$((${kilobytes:-0} * 1024)) passed=$((ms - ${measured_ms:-ms}))
    if [ "$passed" -gt 0 ] && [ "${ticks:-0}" -ge "$measured_ticks" ]; then # hundredths of a per cent
      cpu=$(((ticks - measured_ticks) * 10000000 / ticks_a_second / processors / passed))
      cpu=$((cpu / 100)).$(printf %02d $((cpu % 100)))
    fi
    measured_ms=$ms measured_ticks=${ticks:-0}
    if [ "$state" != ready ] || ! look; then figures=(); fi
    figures=("${figures[@]/#-/}")
    if [ -n "${figures[3]-}" ]; then
      all=$((figures[2] + figures[3])) passed=$((ms - ${handled_ms:-ms}))
      [ "$passed" -le 0 ] || [ "$all" -lt "$handled" ] || rate=$(((all - handled) * 1000 / passed))
      handled=$all handled_ms=$ms
    fi
    add cpu "$cpu"; add memory "$memory"; add rate "$rate"
    add queue "${figures[0]-}"; add unacknowledged "${figures[1]-}"; add connections "${figures[4]-}"
    (IFS=,; echo "$ms,$cpu,$memory,${figures[*]-}") >>logs/counters.csv
  fi
  echo "$line}"
}

answer() { echo "$(now);$1;$2;$3" >>command.txt.result; } # LINE STATE TEXT

begin_server() {
  touch logs/server.log
  said_before=$(wc -c <logs/server.log)
  (cd server && launch) >>logs/server.log 2>&1 </dev/null 8>&- &
  server=$! state=starting measured_ms='' handled_ms='' begun=$(now)
}

# Lists the server and its descendants: a server that is killed takes them with it, or they end when they notice.
family() { awk -v root="$server" 'BEGIN {
  list[last = 1] = root
  for (i = 1; i <= last; i++) {
    file = "/proc/" list[i] "/task/" list[i] "/children"; kids = ""; getline kids < file; close(file)
    n = split(kids, some, " "); for (k = 1; k <= n; k++) list[++last] = some[k]
    print list[i]
  }
}' 2>/dev/null; }

gone() { ! kill -0 "$server" 2>/dev/null; }

kill_server() {
  local all
  all=$(family)
  # shellcheck disable=SC2086 # one word for each process
  kill -KILL $all 2>/dev/null
  wait "$server" 2>/dev/null
  for _ in $(seq 50); do # shellcheck disable=SC2086
    kill -0 $all 2>/dev/null || break
    sleep 0.1
  done
  forget_reader
}

# Ends the reader, which queries the server over one connection; see ask_reader.
forget_reader() {
  if [ -n "$reader" ]; then
    kill -KILL "$reader"
    wait "$reader"
  fi 2>/dev/null
  reader=''
}

# Sends a line to the reader, which launch_reader becomes, and sets reply to its output. If the reader is slow, the
# server is not asked again, and later output completes the reply.
# shellcheck disable=SC2034,SC2317,SC2329 # called by the other scripts, which use the reply
ask_reader() {
  local said
  if [ -z "$reader" ] || ! kill -0 "$reader" 2>/dev/null; then
    coproc READER { launch_reader 2>>logs/reader.log 8>&-; }
    # shellcheck disable=SC2153 # set by coproc
    reader=$READER_PID asked='' heard=''
    exec 6<&"${READER[0]}" 7>&"${READER[1]}"
  fi
  if [ -z "$asked" ]; then
    trap '' PIPE
    echo "$1" >&7 2>/dev/null
    trap - PIPE
    asked=$SECONDS
  fi
  if IFS= read -r -t 0.5 -u 6 said; then reply=$heard$said asked='' heard=''; return; fi
  heard+=$said
  [ $((SECONDS - asked)) -lt 30 ] || forget_reader
  return 1
}

end() {
  if [ -n "$server" ] && ! gone; then
    halt "$server"
    for _ in $(seq $((GRACE * 10))); do gone && break; sleep 0.1; done
    gone || kill_server
  fi
  exit 0
}

heed() {
  local line
  [ -e command.txt ] || return
  IFS= read -r line <command.txt
  rm -f command.txt
  case $line in
    shutdown) answer "$line" OK "the server ends"; asked_to_end=yes ;;
    status) answer "$line" OK "$state, $system $version, process $server" ;;
    kill)
      if [ $state = down ]; then answer "$line" REFUSED "the server is down already"
      else
        kill_server
        state=down
        answer "$line" OK "the server was killed by signal 9"
      fi ;;
    start)
      if [ $state != down ]; then answer "$line" REFUSED "the server is $state"
      else
        begin_server
        starting_for=$line
      fi ;;
    *) answer "$line" REFUSED "a server of $system understands status, kill, start and shutdown" ;;
  esac
}

mkdir -p logs
[ -d server ] || (umask 077; mkdir server) || exit 1
mkdir -p server/tmp
if [ "$(id -u)" = 0 ]; then
  chown "$user" server server/tmp
  # Other users may pass through the folders on the way, but not list them. The home folder of root stays closed.
  way=$folder
  while ! as test -x "$way/." && [ "$way" != "${HOME:-/root}" ] && [ -O "$way" ]; do
    chmod o+x "$way"
    way=${way%/*}
  done
fi
chmod 700 server
as test -x "$folder/server" || fail "the user $user cannot reach $folder: give the provider a folder that every user" \
  "may enter (chmod o+x on the way to it), or log in as another user than root"
echo "ms,cpu,memory,$(IFS=,; echo "${FIGURES[*]}")" >logs/counters.csv
prepare
version=$(version)
[ -n "$version" ] || fail "no $system is installed"

trap 'forget_reader; [ -z "$server" ] || gone || kill_server; clear_up 2>/dev/null' EXIT
trap asked_to_end=yes TERM INT HUP
exec 8<> <(:)
starting_for='' begun=0 asked='' heard=''
begin_server

next=0
while :; do
  heed
  [ -z "$asked_to_end" ] || end
  if [ "$state" != down ] && gone; then
    wait "$server"
    code=$?
    tail -n 5 logs/server.log >&2
    server=''
    exit $((code == 0 ? 1 : code))
  fi
  if [ "$state" = starting ] && ready; then
    state=ready
    [ -e logs/settings.txt ] || settings >logs/settings.txt 2>>logs/reader.log
    [ -z "$starting_for" ] || answer "$starting_for" OK "the server serves again after $(($(now) - begun)) ms"
    starting_for='' next=0
  fi
  if [ "$SECONDS" -ge "$next" ]; then
    next=$((SECONDS + 1))
    tell
  fi
  read -r -t 0.1 -u 8
done
