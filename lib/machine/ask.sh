# Writes a line to the command file of each JVM and waits for the replies: for each a line "NAME;STATE;TEXT". If a
# command file still exists, another command is being carried out, and this one waits.
# usage: ask.sh FOLDER FILE LINE SECONDS JVM...      FILE: name of the command file; answers are appended to FILE.result
# SECONDS: time limit of a reply
cd "$1" || exit 1
file=$2 line=$3 seconds=$4
shift 4

ask() { # JVM
  pid=''
  if [ -e "$1/pid" ]; then read -r pid <"$1/pid"; fi
  if [ -z "$pid" ] || [ -e "$1/exit_code" ] || ! [ "/proc/$pid/cwd" -ef "$1" ]; then
    echo "$1;UNANSWERED;it does not run"
    return
  fi
  result=$1/$file.result
  touch "$result"
  before=$(wc -l <"$result")
  printf '%s\n' "$line" >"$1/command.$$"
  for _ in $(seq 50); do
    ln "$1/command.$$" "$1/$file" 2>/dev/null && break
    sleep 0.1
  done
  rm "$1/command.$$"
  for _ in $(seq $((seconds * 10))); do
    answer=$(tail -n +$((before + 1)) "$result" | grep -F -m 1 ";$line;") && {
      echo "$1;${answer#*";$line;"}"
      return
    }
    sleep 0.1
  done
  echo "$1;UNANSWERED;it said nothing within $seconds s"
}

for jvm in "$@"; do ask "$jvm" & done
wait
