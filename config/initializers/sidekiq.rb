Sidekiq.configure_server do |config|
  config.redis = { url: ENV["REDIS_URL"] }
  config[:cron_poll_interval] = 5 # seconds

  # What the worker before this one was at when it died
  config.on(:startup) { TestRun::ResumeJob.perform_later "at_work" }

  # Every ten seconds. Where Redis was emptied the schedule is gone, and with it whoever looks after abandoned runs.
  config.on(:beat) do
    if Sidekiq::Cron::Job.count.zero?
      Sidekiq::Cron::ScheduleLoader.new.load_schedule
      TestRun::ResumeJob.perform_later "at_work"
    end
  end
end

Sidekiq.configure_client do |config|
  config.redis = { url: ENV["REDIS_URL"] }
end
