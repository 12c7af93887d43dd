# Runs by bin/rails runner in an installation: requests every page as the first account, and prints the responses as one
# line of JSON.
BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"

session = ActionDispatch::Integration::Session.new(Rails.application)
session.host! "127.0.0.1"
ask = ->(verb, path, **options) do
  session.public_send verb, path, headers: { "User-Agent" => BROWSER }, **options
  session.response
end

ask.(:get, "/session/new")
token = session.response.body[/name="authenticity_token" value="([^"]+)"/, 1]
ask.(:post, "/session", params: { authenticity_token: token, email_address: User.order(:id).first.email_address,
  password: ENV.fetch("PASSWORD_OF_PAGES") })

paths = %w[ / /test_runs /test_runs.json /experiments /comparisons /machines /builds /settings
  /audit_entries /message_databases /test_runs/new /experiments/new ]
paths += TestRun.order(:id).flat_map do |run|
  base = "/test_runs/#{run.id}"
  next [ "#{base}/edit", "#{base}.json" ] if run.draft?

  with_zip = run.archive.attached? && run.archive.blob.service.exist?(run.archive.key)
  [ base, "#{base}.json", "#{base}/series.json", "#{base}/definition.yaml", "#{base}/logs", "#{base}/predictions",
    "#{base}/commands", "#{base}/analyses.json", *([ "#{base}/archive", "#{base}/logs?q=INFO" ] if with_zip) ]
end
paths += Experiment.ids.flat_map { |id| [ "", ".json", "/definition.yaml" ].map { |part| "/experiments/#{id}#{part}" } }
paths += Experiment::Point.pluck(:experiment_id, :id).map { |experiment, id| "/experiments/#{experiment}/points/#{id}" }
paths += Build.ids.map { |id| "/builds/#{id}" }

puts paths.to_h { |path|
  answer = ask.(:get, path)
  text = answer.body.dup.force_encoding("UTF-8").scrub.first(300_000) if answer.media_type.to_s.match?(/html|json/)
  [ path, { status: answer.status, bytes: answer.body.bytesize, text: text } ]
}.to_json
