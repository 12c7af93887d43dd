# Writes a line to the command file of each JVM, in one go.
# usage: tell.sh FOLDER LINE JVM...
cd "$1" || exit 1
line=$2
shift 2
for jvm in "$@"; do
  printf '%s\n' "$line" >"$jvm/command.new" && mv "$jvm/command.new" "$jvm/command.txt" || exit 1
done
