#!/usr/bin/env bash
# What bin/backup and bin/restore know of an installation. The sourcing program stands in the checkout's folder.
# shellcheck disable=SC2034 # variables are for whoever sources this

program=bin/${0##*/}
fail() { echo "$program: $*" >&2; exit 1; }

formats="2 1" # of archives, that of today first: in 1 the secret lies in storage/
format=${formats%% *}
environment=${RAILS_ENV:-production}

# Leaves the name in $database and how to reach it in the environment: a password as an argument could be read by all.
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
