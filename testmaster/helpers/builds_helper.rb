module BuildsHelper
  STATES = { "pending" => "queued", "processing" => "building", "completed" => "finished", "failed" => "failed" }

  def build_state(build)
    state_tag STATES.fetch(build.state), build.state.humanize
  end
end
