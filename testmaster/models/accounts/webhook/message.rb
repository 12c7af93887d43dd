# The body of a notification about a run that has ended.
class Webhook::Message
  def initialize(test_run)
    @run = test_run
  end

  def to_h
    { "event" => "test_run.ended", "test_run" => { **@run.slice(:id, :name, :tags, :state, :launched_at, :ended_at),
      "path" => "/test_runs/#{@run.id}", "commit" => @run.build&.commit_sha, "verdict" => @run.verdict.as_json,
      "figures" => @run.figures.slice("rate", "exact", "ok", "errors", "late", "seconds") } }
  end
end
