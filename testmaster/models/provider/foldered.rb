# The folder that a run has on a machine that stays. Whatever the run needs lies in it, and goes with it.
module Provider::Foldered
  REMOVED_WITHIN = 300 # seconds, as logs may be many gigabytes

  # Nothing of the run is left running, nothing is left lying about.
  def release(machine)
    if machine.reference?
      machine.shell.script! "remove_folder", folder_of(machine), owner_of(machine), timeout: REMOVED_WITHIN
    end
  end

  private
    # What the folder says where others may use the machine as well
    def owner_of(machine)
      "#{machine.id}/#{machine.created_at.to_fs(:usec)}"
    end
end
