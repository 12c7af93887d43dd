#!/usr/bin/env bash
# Defines what bin/backup and bin/restore share. They source it in the checkout's folder.
# shellcheck disable=SC2034 # variables are for whoever sources this

program=bin/${0##*/}
fail() { echo "$program: $*" >&2; exit 1; }

formats="2 1" # of archives, the present one first: format 1 has the secret in storage/
format=${formats%% *}
environment=${RAILS_ENV:-production}

# Sets the name in $database and the connection in the environment: every user could read a password in an argument.
find_database() {
  database=testmaster_$environment
  if [ -n "${DATABASE_URL:-}" ]; then
    local parts
    parts=$(ruby -ruri -rshellwords -e '
      uri = URI(ENV.fetch("DATABASE_URL"))
      query = URI.decode_www_form(uri.query.to_s).to_h
      { PGHOST: query["host"] || uri.host&.delete("[]"), PGPORT: uri.port || 5432, PGUSER: uri.user,
        PGPASSWORD: uri.password, PGSSLMODE: query["sslmode"],
        database: uri.path.delete_prefix("/") }.each do |name, value|
        puts "#{name}=#{URI.decode_www_form_component(value.to_s.gsub("+", "%2B")).shellescape}" if value
      end' 2>/dev/null) || fail "DATABASE_URL is no address of a database, such as postgresql://user:password@host/name"
    set -a; eval "$parts"; set +a
    [ -n "$database" ] || fail "DATABASE_URL names no database: it ends with /name"
  else
    bin/services status >/dev/null || fail "the services do not run. Start them: bin/services start"
    eval "$(bin/services env)"
  fi
  export PGCONNECT_TIMEOUT=10
}

sql() { # DATABASE ARGUMENTS…
  psql --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --dbname "$1" "${@:2}"
}
