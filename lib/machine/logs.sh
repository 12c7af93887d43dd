# Writes the end of logs of JVMs, each behind a line "log SIZE FILE" with a space before each of its lines; then lists
# all their files in lines "file SIZE FILE".
# usage: logs.sh FOLDER BYTES WORDS FILE...      BYTES: of each at most. WORDS: lines have them; may be empty
cd "$1" || exit 1
bytes=$2 words=$3
shift 3
for file in "$@"; do
  [ -f "$file" ] || continue
  echo "log $(wc -c <"$file") $file"
  if [ -n "$words" ]; then grep -a -i -F -e "$words" "$file" | tail -c "$bytes"; else tail -c "$bytes" "$file"; fi |
    awk '{ print " " $0 }'
done
for file in *_*/logs/*; do
  [ ! -f "$file" ] || echo "file $(wc -c <"$file") $file"
done
