# Writes the size of a file on a line, then a part of it.
# usage: log.sh FOLDER FILE FROM BYTES      FROM: offset, or "end" for its last bytes
cd "$1" || exit 1
size=$(wc -c <"$2") || exit 1
echo "$size"
if [ "$3" = end ]; then tail -c "$4" "$2"; else tail -c "+$(($3 + 1))" "$2" | head -c "$4"; fi
