# Controls the PostgreSQL of a run on a machine of its own. As root it uses the user postgres. Standard input contains
# the password and the settings.
# usage: database.sh NAME PORT USER start     reads the password, then lines for postgresql.conf
#        database.sh NAME PORT USER stop
#        database.sh NAME PORT USER read DATABASE MARK SQL...
#        reads the password; prints the result of each SQL, then MARK, if it is not empty, on a separate line
#        database.sh NAME PORT USER ask DATABASE STOP
#        reads the password, then lines for psql; with STOP 1 the first error ends it
set -eu
[ $# -ge 4 ] || { echo "usage: database.sh NAME PORT USER start|stop|read|ask ..." >&2; exit 2; }
name=$1 port=$2 user=$3 action=$4
shift 4
home=/var/tmp/$name
data=$home/data
fail() { echo "$*" >&2; exit 1; }

bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
[ -d "$bin" ] || bin=$(dirname "$(command -v pg_ctl || echo /nowhere/pg_ctl)")
[ -x "$bin/pg_ctl" ] || fail "no PostgreSQL is installed"
as() { "$@"; }
if [ "$(id -u)" = 0 ]; then as() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }; fi

# Any user can create names under /var/tmp, including links. The folder is used only if it is ours; nobody else can
# create names in it. Files of PostgreSQL's user are written as that user.
ours() { [ -d "$1" ] && [ ! -L "$1" ] && [ "$(stat -c %u "$1")" = "$(id -u)" ]; }
case $action in
  start) mkdir -m 755 "$home" 2>/dev/null || ours "$home" || fail "$home belongs to somebody else: remove it" ;;
  *) [ -e "$home" ] || [ -L "$home" ] || { [ "$action" != stop ] || exit 0; fail "there is no $home"; }
     ours "$home" || fail "$home belongs to somebody else" ;;
esac

# The command of a killed worker may still run: this waits for it. The server does not hold the lock, and ask does not
# need it.
[ "$action" = ask ] || { exec 9>>"$home/lock" && flock 9; }

running() { as "$bin/pg_ctl" -D "$data" status >/dev/null 2>&1; }

case $action in
  start)
    IFS= read -r password
    if [ ! -e "$data/PG_VERSION" ]; then
      rm -rf "$data.new"
      mkdir -m 700 "$data.new"
      (umask 077; printf '%s\n' "$password" >"$home/password")
      [ "$(id -u)" != 0 ] || chown postgres: "$data.new" "$home/password"
      as "$bin/initdb" -D "$data.new" --username="$user" --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 \
        --pwfile="$home/password" >"$home/initdb.log" 2>&1 || fail "$(tail -n 3 "$home/initdb.log")"
      rm "$home/password"
      # shellcheck disable=SC2016 # the other shell expands these
      as sh -c 'echo "host all all all scram-sha-256" >>"$1/pg_hba.conf"
        echo "include '\''$2'\''" >>"$1/postgresql.conf"' \
        sh "$data.new" "$home/run.conf"
      mv "$data.new" "$data"
    fi
    { echo "listen_addresses = '*'"; echo "unix_socket_directories = ''"; cat; } >"$home/run.conf"
    chmod 644 "$home/run.conf"
    running && exit 0
    as "$bin/pg_ctl" -D "$data" -l "$data/server.log" -o "-p $port" -w -t 60 start >/dev/null 2>&1 </dev/null 9>&- ||
      fail "$(as tail -n 5 "$data/server.log")"
    ;;
  stop)
    if [ -e "$data/PG_VERSION" ] && running; then as "$bin/pg_ctl" -D "$data" -m immediate -w stop >/dev/null; fi
    rm -rf "$home"
    ;;
  read)
    IFS= read -r PGPASSWORD
    export PGPASSWORD
    database=$1 mark=$2 left=$(($# - 2))
    shift 2
    while [ "$left" -gt 0 ]; do # each SQL goes to the end of the arguments, behind its -c
      sql=$1 left=$((left - 1))
      shift
      set -- "$@" -c "$sql"
      [ -z "$mark" ] || set -- "$@" -c "\\echo $mark"
    done
    "$bin/psql" -X -q -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U "$user" -d "$database" "$@"
    ;;
  ask)
    IFS= read -r PGPASSWORD
    export PGPASSWORD PGCONNECT_TIMEOUT=3
    exec "$bin/psql" -X -q -A -t -v ON_ERROR_STOP="$2" -h 127.0.0.1 -p "$port" -U "$user" -d "$1" -f -
    ;;
  *) fail "start, stop, read or ask" ;;
esac
