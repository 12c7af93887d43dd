# Installs Debian packages without their recommendations. Their servers are stopped and disabled: the Testmaster starts
# its own.
# usage: install_quietly.sh SERVERS PACKAGE...      as root; SERVERS: units of systemd, with spaces between
servers=$1
shift
policy=/usr/sbin/policy-rc.d
for server in $servers; do # an existing server keeps its state
  if systemctl list-unit-files "$server*" 2>/dev/null | grep -q "^$server"; then
    servers=$(echo " $servers " | sed "s/ $server / /")
  fi
done
if [ ! -e "$policy" ]; then
  printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" || exit 1
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' INT TERM HUP
fi
apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "$@" || exit 1
if command -v systemctl >/dev/null; then
  for server in $servers; do systemctl disable --now "$server" >/dev/null 2>&1; done
fi
exit 0
