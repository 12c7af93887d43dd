# Writes standard input to a file atomically. Input that is cut off looks complete here, so its size is checked.
# usage: upload.sh PATH BYTES [MODE]
part=$1.$$.part
write_whole() {
  cat >"$part" && [ "$(wc -c <"$part")" -eq "$2" ] || return
  if [ -n "${3-}" ]; then chmod "$3" "$part" || return; fi
  mv "$part" "$1"
}

if ! write_whole "$@"; then
  rm -f "$part"
  exit 1
fi
