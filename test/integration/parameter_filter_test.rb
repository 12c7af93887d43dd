require "test_helper"

class ParameterFilterTest < ActionDispatch::IntegrationTest
  URL = "postgresql://mlmq:sesame-open@127.0.0.1:5432/postgres"

  setup { sign_in_as users(:experimenter) }

  test "the password of a database reaches no log" do
    log = StringIO.new
    logging_to(log) do
      post test_runs_path(format: :json), params: { definition: { name: "As JSON", database: URL } }, as: :json
      post test_runs_path(format: :json), params: { definition: "name: As text\ndatabase: #{URL}\n" }
      post definitions_path, params: { text: "name: Imported\ndatabase: \"#{URL}\"\n" }
      post test_runs_path, params: { test_run: { name: "By the form", database_kind: "url", database_url: URL } }
      post estimate_path, params: { test_run: { name: "By the form", database_kind: "url", database_url: URL } }
    end

    assert_operator log.string.scan("[FILTERED]").size, :>=, 5
    assert_no_match "sesame-open", log.string
  end

  test "a huge text is shortened in the log" do
    log = StringIO.new
    logging_to(log) { post session_path, params: { email_address: "://a:" * 30_000, password: "x" } }

    assert_operator log.string.size, :<, 10_000
    assert_match "[150000 CHARACTERS]", log.string
  end

  private
    def logging_to(io)
      loggers = [ Rails, ActionController::Base, ActiveRecord::Base, ActionView::Base ].index_with(&:logger)
      loggers.each_key { |it| it.logger = ActiveSupport::Logger.new(io) }
      yield
    ensure
      loggers.each { |it, logger| it.logger = logger }
    end
end
