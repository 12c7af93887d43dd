require "test_helper"

class TestRuns::NotesControllerTest < ActionDispatch::IntegrationTest
  setup { sign_in_as users(:experimenter) }

  test "name, tags and notes can change in any state" do
    %i[ draft running finished failed ].each do |name|
      run = test_runs(name)
      redefine run, revision: "a b"
      patch test_run_notes_path(run), params: { notes: { name: "Renamed", tag_list: "a, b", description: "**why**" } }
      assert_redirected_to run
      assert_equal [ "Renamed", %w[ a b ], "**why**", run.state ],
        run.reload.then { |it| [ it.name, it.tags, it.description, it.state ] }
    end

    get edit_test_run_notes_path(test_runs(:running))
    assert_select "textarea", "**why**"
    get test_run_path(test_runs(:running))
    assert_select ".prose strong", "why"
  end

  test "raw HTML in notes is shown as text" do
    test_runs(:finished).update! description: "# Title\n<script>alert(1)</script> <b onclick=x>b</b> " \
      "[bad](javascript:alert(1)) [good](https://example.org) ![i](https://example.org/x.png)\n\n" \
      "| a | b |\n|---|---|\n| 1 | 2 |"
    get test_run_path(test_runs(:finished))

    assert_select ".prose h3", "Title"
    assert_select ".prose td", 2
    assert_select ".prose script, .prose b, .prose img, .prose [onclick], .prose a[href^=javascript]", 0
    assert_select ".prose", /<script>alert\(1\)<\/script>/
    assert_select ".prose a[href='https://example.org']", "good"
  end

  test "mistakes name their field, as do control characters" do
    run = test_runs(:finished)
    patch test_run_notes_path(run), params: { notes: { name: "" } }
    assert_response :unprocessable_entity
    assert_select ".error", /can't be blank/i
    { name: "a\e[2Jb", tags: [ "a\u0007" ], description: "x" * 20_001 }.each do |field, value|
      patch test_run_notes_path(run, format: :json), params: { notes: { field => value } }, as: :json
      assert_response :unprocessable_entity
      assert_match(/\A#{field}/i, response.parsed_body["errors"].sole)
    end
    patch test_run_notes_path(run, format: :json), params: { notes: { tags: [ "one", 2 ] } }, as: :json
    assert_equal %w[ one 2 ], response.parsed_body["tags"]
    patch test_run_notes_path(run, format: :json), params: { notes: { state: "draft" } }, as: :json
    assert_response :unprocessable_entity

    definition = { "name" => "a\u0001b", "brokers" => [ { "scenario" => "Broker" } ],
      "clients" => [ { "scenario" => "OneWayClient" } ] }
    post test_runs_path(format: :json), params: { definition: definition }, as: :json
    assert_equal [ "Name must have no control characters" ], response.parsed_body["errors"]
    post definitions_path, params: { text: definition.to_yaml }
    assert_response :unprocessable_entity
    assert_select ".note--bad li", "Name must have no control characters"
  end
end
