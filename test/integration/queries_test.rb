require "test_helper"
require "support/gallery"

# bench/pages measures how long pages take. This test checks that the number of their queries does not grow with the
# data.
class QueriesTest < ActionDispatch::IntegrationTest
  MOST = {
    "runs" => 20, "run, running" => 25, "run, accepted" => 25, "form, new" => 15, "machines" => 13, "builds" => 8,
    "settings" => 15, "audit log" => 8, "experiments" => 12,
    "console" => 8, "console, overview" => 6, "console, queue" => 7
  }

  test "the queries of a page do not grow with its data" do
    freeze_time # a session's time of last use is updated once a minute
    sign_in_as users(:administrator)
    pages = Gallery.new.pages.slice(*MOST.keys)
    few = pages.transform_values { |path| queries_of path }
    2.times { Gallery.new.pages } # each makes fourteen runs with machines, JVMs and events, and two builds
    many = pages.transform_values { |path| queries_of path }

    assert_equal few, many
    many.each { |name, count| assert_operator count, :<=, MOST.fetch(name), name }
  end

  private
    def queries_of(path)
      get path # loads schemas and templates
      count = 0
      counting = ->(*, payload) { count += 1 unless payload[:name].in? [ "SCHEMA", "TRANSACTION" ] }
      ActiveSupport::Notifications.subscribed(counting, "sql.active_record") { get path }
      assert_response :success
      count
    end
end
