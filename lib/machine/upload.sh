# Writes standard input to a file atomically. Input that is cut off looks complete here, so its size is checked.
# usage: upload.sh PATH BYTES [MODE]
part=$1.$$.part
trap 'rm -f "$part"' EXIT
trap 'exit 1' HUP INT TERM
cat >"$part" && [ "$(wc -c <"$part")" -eq "$2" ] || exit 1
[ -z "${3-}" ] || chmod "$3" "$part" || exit 1
mv "$part" "$1"
