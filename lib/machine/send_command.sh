# Writes a line to the command file of each JVM atomically.
# usage: send_command.sh FOLDER FILE LINE JVM...      FILE: name of the command file
cd "$1" || exit 1
file=$2 line=$3
shift 3
for jvm in "$@"; do
  printf '%s\n' "$line" >"$jvm/command.new" && mv "$jvm/command.new" "$jvm/$file" || exit 1
done
