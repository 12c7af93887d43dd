ENV["RAILS_ENV"] ||= "test"
require_relative "../config/environment"
require "rails/test_help"

Dir[File.join(__dir__, "test_helpers/**/*.rb")].each { |file| require file }

module ActiveSupport
  class TestCase
    # Many tests wait for machines, so one more than there are processors.
    parallelize workers: Etc.nprocessors + 1

    fixtures :all
  end
end

class ActionDispatch::IntegrationTest
  include SignInHelper

  setup { Rails.cache.clear } # counts of rate limits
end
