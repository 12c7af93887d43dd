Sidekiq.configure_server do |config|
  config.redis = { url: ENV["REDIS_URL"] }
  config[:cron_poll_interval] = 5 # seconds

  # This resumes the runs of a worker that died.
  config.on(:startup) { TestRun::ResumeJob.perform_later "at_work" }

  # Sidekiq calls this every ten seconds. If Redis was emptied, the schedule is lost, and with it the job that resumes
  # runs.
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
