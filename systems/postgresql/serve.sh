#!/bin/bash
# Defines for serve.sh how to run PostgreSQL as a queue: a private cluster with the settings of postgresql.conf in the
# folder.
# usage: serve_postgresql.sh is read by serve.sh postgresql HOST PORT
# shellcheck disable=SC2034,SC2154,SC2317,SC2329 # serve.sh knows the variables, and calls the functions
user=postgres
bin=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
[ -x "$bin/postgres" ] || bin=$(dirname "$(command -v postgres || echo /nowhere/postgres)")
# Only the tables of messages count; n_live_tup is PostgreSQL's own estimate.
FIGURES_SQL="SELECT coalesce(sum(n_live_tup), 0), '-', coalesce(sum(n_tup_ins), 0), coalesce(sum(n_tup_del), 0),
  (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid())
  FROM pg_stat_user_tables WHERE relname = 'message' OR relname LIKE 'q\\_%';"
SETTINGS_SQL="SELECT name, setting, unit, source FROM pg_settings WHERE source <> 'default' ORDER BY name"

prepare() {
  [ -x "$bin/initdb" ] || fail "no PostgreSQL is installed: apt-get install postgresql"
  (umask 077; printf '%s\n' "$password" >server/password)
  [ "$(id -u)" != 0 ] || chown "$user" server/password
  (cd server && as "$bin/initdb" -D "$PWD/data" --username=testmaster --auth=scram-sha-256 --encoding=UTF8 \
    --locale=C.UTF-8 --no-sync --pwfile=password) >>logs/server.log 2>&1 || fail "$(tail -n 3 logs/server.log)"
  rm server/password
  cp postgresql.conf server/run.conf
  chmod 644 server/run.conf
  # shellcheck disable=SC2016 # the other shell expands it
  (cd server && as sh -c 'printf "%s\n" "host all all all scram-sha-256" >>data/pg_hba.conf
    printf "include '\''%s/run.conf'\''\n" "$PWD" >>data/postgresql.conf') || fail "the settings cannot be written"
  unset MLMQ_DRIVER_PASSWORD
}

version() { "$bin/postgres" --version 2>/dev/null | sed 's/^[^0-9]*\([0-9.]*\).*/PostgreSQL \1/'; }
launch() {
  become "$bin/postgres" -D "$PWD/data" -c "listen_addresses=$host" -p "$port" -c unix_socket_directories= \
    -c logging_collector=off
}
# After a crash PostgreSQL has lost its row counts until ANALYZE runs.
ready() {
  "$bin/pg_isready" -q -h 127.0.0.1 -p "$port" && { [ -z "$starting_for" ] || sql -d postgres -c ANALYZE; }
}
sql() { PGPASSWORD=$password PGCONNECT_TIMEOUT=3 "$bin/psql" -X -q -A -t -h 127.0.0.1 -p "$port" -U testmaster "$@"; }
launch_reader() { sql -F ' ' -d postgres; }
settings() { sql --csv -d postgres -c "$SETTINGS_SQL"; }
look() { ask_reader "${FIGURES_SQL//$'\n'/ }" && read -ra figures <<<"$reply"; }
halt() { kill -INT "$1"; }
clear_up() { :; }
