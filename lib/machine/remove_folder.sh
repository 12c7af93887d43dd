# Ends all processes in the folder of a run, then deletes the folder, or all of it but some files. A folder of another
# owner stays. A process belongs to the run if it works in its folder; a pid alone may have been reused.
# usage: remove_folder.sh FOLDER OWNER [KEPT]      KEPT: a pattern of the files that stay
cd "$1" 2>/dev/null || exit 0
if [ -e .owner ] && [ "$(cat .owner)" != "$2" ]; then exit 0; fi
folder=$(pwd -P)
case $folder in
  */run_[0-9]*) ;;
  *)
    echo "$folder is no folder of a run" >&2
    exit 1
    ;;
esac
cd /
pattern=$(printf %s "$folder" | sed 's/[][*?\\]/\\&/g')
left() { find /proc -maxdepth 2 -name cwd \( -lname "$pattern" -o -lname "$pattern/*" \) 2>/dev/null | cut -d / -f 3; }

for signal in TERM KILL; do
  pids=$(left)
  [ -n "$pids" ] || break
  # shellcheck disable=SC2086 # one word for each process
  kill -s $signal $pids 2>/dev/null
  for _ in $(seq 50); do
    [ -n "$(left)" ] || break
    sleep 0.1
  done
done
pids=$(left)
if [ -n "$pids" ]; then
  echo "these processes do not end: $(echo "$pids" | tr '\n' ' ')" >&2
  exit 1
fi
if [ $# -lt 3 ]; then
  rm -rf "$folder"
else
  find "$folder" -mindepth 1 -maxdepth 1 ! -name "$3" -exec rm -rf {} +
fi
