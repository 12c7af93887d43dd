# Builds the script that a machine runs as root at its first boot: lib/machine/boot.sh with its arguments.
class Provider::Rented::UserData
  SCRIPT = Rails.root.join("lib/machine/boot.sh")
  MARKER = ".testmaster/boot" # in the home folder of the user

  def initialize(machine, user:)
    @machine, @user = machine, user
  end

  def to_s
    arguments = [ @user, @machine.role, @machine.expires_at.to_i.to_s, *packages ]
    comment = "# #{@machine.name} of test run #{@machine.test_run_id}"
    [ "#!/bin/bash", comment, "set -- #{arguments.shelljoin}", SCRIPT.read ].join("\n")
  end

  private
    # Returns the packages that a broker machine needs for the system under test.
    def packages
      @machine.test_run.system.packages if @machine.role == "broker" && @machine.test_run
    end
end
