# What a machine is, in lines NAME=VALUE.
# usage: facts.sh
echo "kernel=$(uname -sr)"
echo "architecture=$(uname -m)"
echo "cpus=$(getconf _NPROCESSORS_ONLN)"
echo "cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
echo "memory=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)"
echo "disk_free=$(df -Pk . | tail -n 1 | awk '{ print $4 }')"
echo "java=$(java -version 2>&1 | grep -m 1 version)"
# shellcheck disable=SC1091 # a file of the machine
echo "system=$(. /etc/os-release 2>/dev/null; echo "$PRETTY_NAME")"
echo "rabbitmq=$([ ! -x /usr/lib/rabbitmq/bin/rabbitmq-server ] || echo installed)"
echo "activemq=$([ ! -e /usr/share/activemq/bin/activemq.jar ] || echo installed)"
echo "postgresql=$(printf '%s\n' /usr/lib/postgresql/*/bin/postgres |
  sed -n 's/.*postgresql\/\([0-9]*\)\/bin.*/\1/p' | sort -n | tail -n 1)"
