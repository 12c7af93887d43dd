#!/bin/bash
# Defines for serve.sh how to run ActiveMQ: Debian's jars with activemq.xml of the folder. A small JVM reads its
# counters.
# usage: serve_activemq.sh is read by serve.sh activemq HOST PORT
# shellcheck disable=SC2034,SC2154,SC2317,SC2329 # serve.sh knows the variables, and calls the functions
user=activemq
home=/usr/share/activemq

prepare() {
  [ -e $home/bin/activemq.jar ] || fail "no ActiveMQ is installed: apt-get install activemq"
  export HOME=$folder/server TMPDIR=$folder/server/tmp SERVE_HOST=$host SERVE_PORT=$port
  cp activemq.xml log4j.properties log4j2.properties ../mlmq.jar server/ # its user must be able to read them
  [ "$(id -u)" != 0 ] || chown "$user" server/*
}

version() {
  printf '%s\n' /usr/share/java/activemq-broker-[0-9]*.jar |
    sed 's/.*activemq-broker-\(.*\)\.jar/ActiveMQ \1/' | tail -n 1
}

launch() {
  # shellcheck disable=SC2046 # one word for each option
  become java $(cat ../jvm_options) -Djava.io.tmpdir="$TMPDIR" -Dactivemq.home=$home -Dactivemq.base="$PWD" \
    -Dactivemq.conf="$PWD" -Dactivemq.data="$PWD/data" -Dlog4j.configuration=file:log4j.properties \
    -Dlog4j2.configurationFile=log4j2.properties -jar $home/bin/activemq.jar start xbean:file:activemq.xml
}
ready() { has_said "Connector openwire started"; }
settings() { cat activemq.xml jvm_options; }

launch_reader() {
  become java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx32m -Djava.io.tmpdir="$TMPDIR" -cp "$HOME/mlmq.jar" \
    ch.ethz.mlmq.watch.ActiveMqFigures "$server"
}

look() {
  ask_reader figures && read -ra figures <<<"$reply"
}

halt() { kill -TERM "$1"; }
clear_up() { :; }
