threads_count = ENV.fetch("RAILS_MAX_THREADS", 5)
threads threads_count, threads_count

port ENV.fetch("PORT", 3000), ENV.fetch("BINDING", "127.0.0.1")
pidfile ENV["PIDFILE"] if ENV["PIDFILE"]

plugin :tmp_restart

$LOAD_PATH.unshift File.expand_path("../lib", __dir__)
plugin :local_access
