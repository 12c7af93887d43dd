# On a host that others may use as well, a folder says whose it is: two Testmasters that have the same host do not meet.
module Provider::Ssh::Foldered
  include Provider::Foldered

  # A host that does not let us in is given up where nothing can have been started, or where it was taken from the list.
  def release(machine)
    super
  rescue Machine::Unreachable, Machine::Refused
    raise if machine.directory? && listed?(machine)
  end

  private
    # Returns where it is, in full.
    def make_folder(machine)
      machine.folder_told machine.shell.script!("make_folder", folder_of(machine), owner_of(machine)).output
    end

    def folder_of(machine)
      machine.directory || "#{folder}/run_#{machine.test_run_id}"
    end

    def listed?(machine)
      Provider::Ssh::Host.parse(machine.reference).address.in? host_list.map(&:address)
    end
end
