# Rails and Sidekiq use the services of this checkout (bin/services) by default: libpq reads PGHOST and similar
# variables itself, Sidekiq and Action Cable read REDIS_URL.
unless ENV["DATABASE_URL"] && ENV["REDIS_URL"]
  IO.popen([ File.expand_path("../bin/services", __dir__), "env" ], &:read)
    .scan(/^export (\w+)=(.*)$/) { |name, value| ENV[name] ||= value }
end
