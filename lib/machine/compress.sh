# Compresses all logs of a run, not what a server keeps (see serve.sh), and lists them, sizes first, then digests. What
# is listed was compressed to its end.
# Where that still goes on for somebody who was killed meanwhile, it is waited for.
# usage: compress.sh FOLDER NAME...      NAME: how files of a JVM's folder begin that are collected beside its logs
cd "$1" && exec 9>>.listing && flock 9 || exit 1
shift
for name in "$@"; do # each NAME becomes three words for find
  shift
  set -- "$@" -o -path "./*_*/$name*"
done

logs() { # NAME BUT_NOT MORE_PATHS...
  name=$1 but_not=$2
  shift 2
  find . -type f \( -path './*_*/logs/*' "$@" -o -path './monitor/machine.csv*' \) \
    ! -path './*_*/server/*' ! -name .keep -name "$name" ! -name "$but_not" -print0
}

# So many bytes are compressed as there are to begin with, and listed: a file may grow, or be written anew, meanwhile.
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
