ENV["RAILS_ENV"] ||= "test"
require_relative "../config/environment"
require "rails/test_help"
require_relative "../lib/puma/own_buffer"
require_relative "../lib/puma/garbage"

Dir[File.join(__dir__, "test_helpers/**/*.rb")].each { |file| require file }

module ActiveSupport
  class TestCase
    parallelize workers: :number_of_processors

    fixtures :all
  end
end

class ActionDispatch::IntegrationTest
  include SignInHelper

  setup { Rails.cache.clear } # resets rate limits
end
