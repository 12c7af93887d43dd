# Prints the end of logs of JVMs: for each a line "log SIZE FILE", then its lines, each after a space. Then it lists all
# their files in lines "file SIZE FILE".
# usage: logs.sh FOLDER BYTES SEARCHED WORDS FILE...      BYTES: of each, at most. WORDS: in each line; may be empty.
#        SEARCHED: bytes at the end of each that are searched for WORDS, as the machine is being measured
cd "$1" || exit 1
bytes=$2 searched=$3 words=$4
shift 4
for file in "$@"; do
  [ -f "$file" ] || continue
  size=$(wc -c <"$file")
  echo "log $size $file"
  if [ -n "$words" ]; then
    tail -c "$searched" "$file" |
      { [ "$size" -le "$searched" ] || read -r _; nice -n 19 grep -a -i -F -e "$words"; } | tail -c "$bytes"
  else
    tail -c "$bytes" "$file"
  fi |
    awk '{ print " " $0 }'
done
for file in *_*/logs/*; do
  [ ! -f "$file" ] || echo "file $(wc -c <"$file") $file"
done
