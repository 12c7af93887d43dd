#!/bin/bash
# Defines for serve.sh how to run RabbitMQ: one node with its own epmd, with the settings of rabbitmq.conf in the
# folder. Counters come from its Prometheus page; queues report their lengths to it every five seconds.
# usage: serve_rabbitmq.sh is read by serve.sh rabbitmq HOST PORT
# shellcheck disable=SC2034,SC2154,SC2317,SC2329 # serve.sh knows the variables, and calls the functions
user=rabbitmq
bin=/usr/lib/rabbitmq/bin

prepare() {
  [ -x $bin/rabbitmq-server ] || fail "no RabbitMQ is installed: apt-get install rabbitmq-server"
  distribution=$(free_port) epmd=$(free_port) metrics=$(free_port)
  export HOME=$folder/server TMPDIR=$folder/server/tmp
  export RABBITMQ_NODENAME=testmaster@localhost RABBITMQ_MNESIA_BASE=$HOME/mnesia RABBITMQ_LOG_BASE=$HOME/log \
    RABBITMQ_DIST_PORT=$distribution RABBITMQ_CONFIG_FILE=$HOME/rabbitmq RABBITMQ_ADVANCED_CONFIG_FILE=$HOME/none \
    RABBITMQ_CONF_ENV_FILE=$HOME/none RABBITMQ_ENABLED_PLUGINS_FILE=$HOME/enabled_plugins \
    RABBITMQ_GENERATED_CONFIG_DIR=$HOME/generated RABBITMQ_PID_FILE=$HOME/pid ERL_EPMD_PORT=$epmd \
    RABBITMQ_LOG=info,-color ERL_EPMD_ADDRESS=127.0.0.1 ERL_MAX_PORTS=65536
  unset MLMQ_DRIVER_PASSWORD
  (
    umask 077
    cat rabbitmq.conf - >server/rabbitmq.conf <<CONF
listeners.tcp.1 = $host:$port
distribution.listener.interface = 127.0.0.1
prometheus.tcp.ip = 127.0.0.1
prometheus.tcp.port = $metrics
management_agent.disable_metrics_collector = true
log.console = true
log.file = false
default_user = testmaster
default_pass = $password
CONF
    echo '[rabbitmq_prometheus].' >server/enabled_plugins
  )
  [ "$(id -u)" != 0 ] || chown "$user" server/rabbitmq.conf server/enabled_plugins
  (cd server && become epmd -port "$epmd" -address 127.0.0.1) >>logs/server.log 2>&1 </dev/null 8>&- &
  epmd_process=$!
}

version() { dpkg-query -W -f '${source:Upstream-Version}' rabbitmq-server 2>/dev/null | sed 's/^/RabbitMQ /'; }
launch() {
  ulimit -n "$(ulimit -H -n)"
  become $bin/rabbitmq-server
}
ready() { has_said "completed with .* plugins"; }
settings() { as $bin/rabbitmqctl environment | sed "s/${password:-no password}/[FILTERED]/g"; }

look() {
  local said
  { exec 5<>"/dev/tcp/127.0.0.1/$metrics"; } 2>/dev/null || return 1
  printf 'GET /metrics HTTP/1.0\r\n\r\n' >&5
  # shellcheck disable=SC2016 # awk expands it
  said=$(timeout 3 awk '
    { sub(/\r$/, "") }
    /^rabbitmq_queue_messages_ready / { ready = $2 } /^rabbitmq_queue_messages_unacked / { unacked = $2 }
    /^rabbitmq_global_messages_received_total\{/ { received += $2 }
    /^rabbitmq_global_messages_delivered_(consume|get)_(auto|manual)_ack_total\{/ { delivered += $2 }
    /^rabbitmq_connections / { connections = $2 }
    END { if (ready != "") printf "%.0f %.0f %.0f %.0f %.0f\n", ready, unacked, received, delivered, connections }' <&5)
  exec 5>&-
  [ -n "$said" ] && read -ra figures <<<"$said"
}

halt() { # the node, as its script would start one more Erlang to tell it
  local process name
  for process in $(family); do
    read -r name <"/proc/$process/comm" && [ "$name" = beam.smp ] && kill -TERM "$process"
  done
}
clear_up() { kill -KILL "$epmd_process"; }
