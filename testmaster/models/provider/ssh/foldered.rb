# Marks a folder on a shared host with its owner, so that two Testmasters do not interfere there.
module Provider::Ssh::Foldered
  include Provider::Foldered

  # A host that refuses access is given up if nothing can have been started there, or if it was removed from the list.
  def release(machine)
    super
  rescue Machine::Unreachable, Machine::Refused
    raise if machine.directory? && listed?(machine)
  end

  private
    # Returns the full path.
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
