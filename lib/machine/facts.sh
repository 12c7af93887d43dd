# Prints the facts of a machine in lines NAME=VALUE. The Testmaster adds a line for each system, by "installed" of its
# system.yml.
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
