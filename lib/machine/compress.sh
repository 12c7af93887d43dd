# Compresses all logs of a run except a server's own (see serve.sh), and lists them: first sizes, then digests. A listed
# file is completely compressed. If the compression of a killed worker still runs, this waits for it.
# usage: compress.sh FOLDER NAME...      NAME: beginning of files in a JVM's folder that are collected, too
cd "$1" && exec 9>>.listing && flock 9 || exit 1
shift
for name in "$@"; do # find needs three words for each NAME
  shift
  set -- "$@" -o -path "./*_*/$name*"
done

logs() { # NAME BUT_NOT MORE_PATHS...
  name=$1 but_not=$2
  shift 2
  find . -type f \( -path './*_*/logs/*' "$@" -o -path './monitor/*.csv*' \) \
    ! -path './*_*/server/*' ! -name .keep -name "$name" ! -name "$but_not" -print0
}

# A file is compressed up to its size at the start, which is also listed: it may grow, or be replaced, meanwhile.
if [ ! -e listing ]; then
  # shellcheck disable=SC2016 # the shells that xargs starts expand these
  logs '*.gz' - "$@" | xargs -0 -r rm &&
    logs '*' '*.gz' "$@" | xargs -0 -r -n 12 -P "$(getconf _NPROCESSORS_ONLN)" sh -c '
      for log; do
        size=$(stat -c %s "$log") || exit 1
        { head -c "$size" "$log" || : >"$log.torn.gz"; } | gzip -3 -n >"$log.gz" || exit 1
        if [ -e "$log.torn.gz" ]; then rm "$log.torn.gz"; exit 1; fi
        echo "$size $log"
      done' _ >listing.new &&
    logs '*.gz' - "$@" | xargs -0 -r stat -c '%s %n' >>listing.new &&
    logs '*.gz' - "$@" | xargs -0 -r sha256sum >>listing.new &&
    mv listing.new listing || exit 1
fi
cat listing
