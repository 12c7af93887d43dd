# Manages the folder of a run on a machine that stays. It contains all that the run needs, and is deleted with it.
module Provider::Foldered
  REMOVED_WITHIN = 300 # seconds, as logs may be many gigabytes

  # Stops all processes of the run and deletes its folder.
  def release(machine)
    if machine.reference?
      machine.shell.script! "remove_folder", folder_of(machine), owner_of(machine), timeout: REMOVED_WITHIN
    end
  end

  private
    # The folder stores this text if others may use the machine as well.
    def owner_of(machine)
      "#{machine.id}/#{machine.created_at.to_fs(:usec)}"
    end
end
