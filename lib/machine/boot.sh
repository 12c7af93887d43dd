#!/bin/bash
# Prepares a rented machine at its first boot, as root. It limits the machine's lifetime, prints its host keys, and
# installs the packages of a run. Finally it writes "ready" to .testmaster/boot in the home folder of USER, as which the
# Testmaster logs in.
# usage: boot.sh USER ROLE EXPIRES_AT PACKAGES      EXPIRES_AT: seconds since 1970. PACKAGES: of the system under test
user=$1 role=$2 expires_at=$3 packages=${4-}
export DEBIAN_FRONTEND=noninteractive
home=$(getent passwd "$user" | cut -d: -f6)
console=/dev/console
mkdir -p "$home/.testmaster" && chown "$user" "$home/.testmaster"

report() {
  echo "$1" >"$home/.testmaster/boot.new" && mv "$home/.testmaster/boot.new" "$home/.testmaster/boot"
  echo "testmaster: $1" >>$console
}

step() { # WHAT COMMAND...
  local what=$1 attempt
  shift
  report "busy $what"
  for attempt in 1 2 3 4; do
    "$@" >>/var/log/testmaster-boot.log 2>&1 && return
    sleep $((attempt * 5))
  done
  report "failed $what: $(tail -n 3 /var/log/testmaster-boot.log | tr '\n' ' ')"
  exit 1
}

# Shutting down terminates the machine. The limit applies even if the Testmaster is not running, and after a reboot.
mkdir -p /var/lib/cloud/scripts/per-boot
cat >/var/lib/cloud/scripts/per-boot/testmaster-expiry <<END
#!/bin/sh
minutes=\$(( ($expires_at - \$(date +%s)) / 60 ))
[ "\$minutes" -ge 1 ] || minutes=1
shutdown -h "+\$minutes"
END
chmod +x /var/lib/cloud/scripts/per-boot/testmaster-expiry
/var/lib/cloud/scripts/per-boot/testmaster-expiry

{
  echo "-----BEGIN SSH HOST KEY KEYS-----"
  cat /etc/ssh/ssh_host_*_key.pub
  echo "-----END SSH HOST KEY KEYS-----"
} >>$console

# Background jobs would disturb the measurement.
systemctl mask --now apt-daily.timer apt-daily-upgrade.timer unattended-upgrades.service man-db.timer \
  >>/var/log/testmaster-boot.log 2>&1
apt() { apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"; }
apt_updated() {
  [ -e /var/lib/cloud/testmaster-updated ] || { apt update && touch /var/lib/cloud/testmaster-updated; }
}

java_is_there() { [ "$(java -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')" -ge 17 ] 2>/dev/null; }
install_java() {
  apt_updated || return
  apt install openjdk-17-jre-headless || apt install openjdk-21-jre-headless || apt install default-jre-headless
}
java_is_there || step "installing Java" install_java

postgresql_is_there() { ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }
install_postgresql() { apt_updated && apt install postgresql; }
if [ "$role" = database ]; then
  # The package must not create a cluster: the run creates its own, with its own settings.
  mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
  postgresql_is_there || step "installing PostgreSQL" install_postgresql
fi

install_system() {
  printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d && chmod 755 /usr/sbin/policy-rc.d
  # shellcheck disable=SC2086 # one word for each package
  apt_updated && apt install --no-install-recommends $packages
}
# Packages must not start servers: the run starts its own.
[ -z "$packages" ] || step "installing $packages" install_system

report "ready"
