# Writes standard input to a file in one go. Nobody sees half of it: what is cut off looks here as if it were all, and
# only its size tells.
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
