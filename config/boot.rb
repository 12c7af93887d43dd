ENV["BUNDLE_GEMFILE"] ||= File.expand_path(RUBY_VERSION >= "3.2" ? "../Gemfile" : "../Gemfile.ruby31", __dir__)

require "bundler/setup"
require "bootsnap/setup"
require_relative "services"
