module BuildsHelper
  STATES = {
    "pending" => "queued", "processing" => "building", "completed" => "finished", "failed" => "failed",
    "cancelled" => "cancelled"
  }

  # Removes the colour codes of a terminal.
  def plain(log)
    log.gsub(/\e\[[\d;]*m/, "")
  end

  def build_state(build)
    state_tag STATES.fetch(build.state), build.state.humanize
  end
end
