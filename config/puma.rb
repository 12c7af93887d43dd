threads_count = ENV.fetch("RAILS_MAX_THREADS", 5)
threads threads_count, threads_count

port ENV.fetch("PORT", 3000), ENV.fetch("BINDING", "127.0.0.1")
pidfile ENV["PIDFILE"] if ENV["PIDFILE"]

# Puma refuses larger requests before anything reads them. A definition has at most one megabyte.
http_content_length_limit 2 * 1024 * 1024

plugin :tmp_restart

$LOAD_PATH.unshift File.expand_path("../lib", __dir__)
require "puma/own_buffer"
require "puma/garbage"
out_of_band { Puma::Garbage.collect }
plugin :local_access
