# The script that an instance runs as root when it boots first: it limits its own life, tells its host keys, installs what a run
# needs, and leaves a marker in the home folder of the user that the Testmaster logs in as.
class Provider::Ec2::UserData
  MARKER = ".testmaster/boot"

  def initialize(machine, user:)
    @machine, @user = machine, user
  end

  def to_s
    <<~BASH
      #!/bin/bash
      # #{@machine.name} of test run #{@machine.test_run_id}
      export DEBIAN_FRONTEND=noninteractive
      home=$(getent passwd #{@user} | cut -d: -f6)
      console=/dev/console
      mkdir -p "$home/.testmaster" && chown #{@user} "$home/.testmaster"

      report() {
        echo "$1" >"$home/#{MARKER}.new" && mv "$home/#{MARKER}.new" "$home/#{MARKER}"
        echo "testmaster: $1" >>$console
      }

      step() {
        report "busy $1"
        for attempt in 1 2 3 4; do
          ${@:2} >>/var/log/testmaster-boot.log 2>&1 && return
          sleep $((attempt * 5))
        done
        report "failed $1: $(tail -n 3 /var/log/testmaster-boot.log | tr '\\n' ' ')"
        exit 1
      }

      # Shutting down is terminating. The time holds whatever becomes of the Testmaster, and after a reboot too.
      mkdir -p /var/lib/cloud/scripts/per-boot
      cat >/var/lib/cloud/scripts/per-boot/testmaster-expiry <<'END'
      #!/bin/sh
      minutes=$(( (#{@machine.expires_at.to_i} - $(date +%s)) / 60 ))
      [ "$minutes" -ge 1 ] || minutes=1
      shutdown -h "+$minutes"
      END
      chmod +x /var/lib/cloud/scripts/per-boot/testmaster-expiry
      /var/lib/cloud/scripts/per-boot/testmaster-expiry

      {
        echo "-----BEGIN SSH HOST KEY KEYS-----"
        cat /etc/ssh/ssh_host_*_key.pub
        echo "-----END SSH HOST KEY KEYS-----"
      } >>$console

      # Nothing else is to use the processors while something is measured.
      systemctl mask --now apt-daily.timer apt-daily-upgrade.timer unattended-upgrades.service man-db.timer >>/var/log/testmaster-boot.log 2>&1
      apt() { apt-get -q -y -o DPkg::Lock::Timeout=300 "$@"; }
      java_is_there() { [ "$(java -version 2>&1 | sed -n 's/.* version "\\([0-9]*\\).*/\\1/p')" -ge 17 ] 2>/dev/null; }

    BASH
      .concat(*installations.map { |line| "#{line}\n" }, %(report "ready"\n))
  end

  private
    def installations
      [ "apt_updated() { [ -e /var/lib/cloud/testmaster-updated ] || { apt update && touch /var/lib/cloud/testmaster-updated; }; }", java, *(postgresql if @machine.role == "database") ]
    end

    def java
      <<~BASH
        install_java() { apt_updated && { apt install openjdk-17-jre-headless || apt install openjdk-21-jre-headless || apt install default-jre-headless; }; }
        java_is_there || step "installing Java" install_java
      BASH
    end

    # Without the cluster that the package would start: the run makes one of its own, with its own settings.
    def postgresql
      <<~BASH
        mkdir -p /etc/postgresql-common && echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
        install_postgresql() { apt_updated && apt install postgresql; }
        ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || step "installing PostgreSQL" install_postgresql
      BASH
    end
end
