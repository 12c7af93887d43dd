# On a host that others may use as well, a folder says whose it is: two Testmasters that have the same host do not meet.
module Provider::Ssh::Foldered
  include Provider::Foldered

  MAKE = <<~'SH'
    mkdir -p %{folder} && cd %{folder} || exit 1
    if [ -z "$(ls -A)" ]; then echo %{owner} >.owner; fi
    if [ "$(cat .owner 2>&1)" != %{owner} ]; then echo "$(pwd -P) belongs to another Testmaster" >&2; exit 1; fi
    pwd -P
  SH

  # A host that does not let us in is given up where nothing can have been started, or where it was taken from the list.
  def release(machine)
    super
  rescue Machine::Unreachable, Machine::Refused
    raise if machine.directory? && listed?(machine)
  end

  private
    # Returns where it is, in full.
    def make_folder(machine)
      machine.shell.execute!(folder_script(MAKE, machine)).output.chomp
    end

    def folder_of(machine)
      machine.directory || "#{folder}/run_#{machine.test_run_id}"
    end

    def listed?(machine)
      Provider::Ssh::Host.parse(machine.reference).address.in? host_list.map(&:address)
    end
end
