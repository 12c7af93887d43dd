Sidekiq.configure_server do |config|
  config.redis = { url: ENV["REDIS_URL"] }
  config[:cron_poll_interval] = 5 # seconds

  # What the worker before this one was at when it died
  config.on(:startup) { TestRun::ResumeJob.perform_later "at_work" }
end

Sidekiq.configure_client do |config|
  config.redis = { url: ENV["REDIS_URL"] }
end
