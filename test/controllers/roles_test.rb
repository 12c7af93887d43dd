require "test_helper"

class RolesTest < ActionDispatch::IntegrationTest
  BEARER = { "Authorization" => "Bearer tm_a_token_of_the_tests" }

  test "a viewer reads runs but changes nothing" do
    run = test_runs(:finished)
    sign_in_as users(:viewer)

    get test_run_path(run)
    assert_response :success
    assert_select "form[action='#{test_run_duplicate_path(run)}']", false
    get test_runs_path
    assert_select "a[href='#{new_test_run_path}']", false

    api_tokens(:laptop).update! role: "viewer"
    refused = { post: [ test_runs_path, test_run_launch_path(run), test_run_cancellation_path(run),
      test_run_duplicate_path(run), test_run_commands_path(run), definitions_path,
      machines_sweep_path, tagging_path, deletion_path, test_run_baselines_path(run),
      test_run_profile_path(run) ],
      patch: [ test_run_path(run), test_run_notes_path(run) ],
      delete: [ test_run_path(run), test_run_profile_path(run) ] }
    assert_no_difference -> {
 TestRun.count + Command.count + Analysis.count + AuditEntry.where.not(action: "signed out").count } do
      refused.each do |verb, paths|
        paths.each do |path|
          public_send verb, path
          assert_response :forbidden, "#{verb} #{path}"
          assert_select "h1", "Your role does not allow this"
        end
      end
      get new_test_run_path
      assert_response :forbidden

      sign_out
      refused.each do |verb, paths|
        paths.each do |path|
          public_send verb, path, params: { launch: true }, headers: BEARER, as: :json
          assert_response :forbidden, "#{verb} #{path} by a token"
          assert_match "Your token role is viewer", response.parsed_body["error"]
        end
      end
    end
    get test_runs_path(format: :json), headers: BEARER
    assert_response :success
  end

  test "a viewer compares and plots runs" do
    run = test_runs(:finished)
    run.archive.attach io: StringIO.new("PK"), filename: "test_run.zip", content_type: "application/zip"
    sign_in_as users(:viewer)

    get test_run_path(run)
    assert_select "a[href='#{new_comparison_path(test_run_id: run)}']"
    get new_comparison_path(test_run_id: run)
    assert_response :success
    assert_difference -> { run.analyses.count } do
      post test_run_analyses_path(run), params: { analysis: { kind: "throughput" } }
    end
    get test_runs_path
    assert_select "#selection button", "Compare"
    assert_select "#selection button", { text: "Delete…", count: 0 }
  end

  test "only administrators see accounts and audit" do
    sign_in_as users(:experimenter)
    [ new_settings_provider_path(kind: "ssh"), audit_entries_path ].each do |path|
      get path
      assert_response :forbidden, path
    end
    %w[ people providers databases disk ].each do |section|
      get settings_section_path(section)
      assert_response :forbidden, section
    end
    [ [ :patch, settings_retention_path ], [ :post, settings_housekeeping_path ] ].each do |verb, path|
      public_send verb, path, params: { retention: { audit: "" } }
      assert_response :forbidden, path
    end
    patch settings_user_path(users(:experimenter)), params: { user: { role: "administrator" } }
    assert_response :forbidden
    assert_equal "experimenter", users(:experimenter).reload.role
  end

  test "a token has no more permissions than its account" do
    api_tokens(:laptop).update! role: "administrator"
    users(:experimenter).update! role: "viewer"

    post test_runs_path, params: { example: "first_look" }, headers: BEARER, as: :json
    assert_response :forbidden

    sign_in_as users(:viewer)
    assert_no_difference -> { ApiToken.count } do
      post settings_api_tokens_path, params: { api_token: { name: "More", role: "administrator" } }
    end
    assert_select "#api_token_role[aria-invalid=true]"
  end

  test "an invitation creates one account with its role" do
    sign_in_as users(:administrator)
    post settings_invitations_path, params: { invitation: { email_address: " Ada@Example.org", role: "viewer" } }
    link = URI(css_select(".secret").text)
    get settings_path
    assert_no_match link.query, response.body
    sign_out

    get link.request_uri
    assert_select "b", "ada@example.org"
    token = CGI.parse(link.query)["token"].first
    post acceptance_path, params: { token: token, password: "short" }
    assert_select "[aria-invalid=true]"
    post acceptance_path, params: { token: token, password: "a long enough one" }
    assert_redirected_to root_path
    get new_test_run_path
    assert_response :forbidden

    sign_out
    get link.request_uri
    assert_redirected_to new_session_path
  end

  test "an invitation does not open an existing account" do
    invitation = Invitation.create! email_address: "ada@example.org", role: "administrator",
      inviter: users(:administrator)
    users(:viewer).update_columns email_address: "ada@example.org"

    post acceptance_path(token: invitation.token), params: { password: "a long enough secret" }

    assert_redirected_to new_session_path
    assert_equal "#{Invitation::TAKEN}.", flash.alert
    assert_equal "viewer", users(:viewer).reload.role
  end

  test "an invitation expires and can be withdrawn" do
    sign_in_as users(:administrator)
    post settings_invitations_path, params: { invitation: { email_address: "ada@example.org", role: "viewer" } }
    token = Invitation.last.token
    travel_to 8.days.from_now do
      get new_acceptance_path(token: token)
      assert_redirected_to new_session_path
    end
    get new_acceptance_path(token: token)
    assert_response :success
    delete settings_invitation_path(Invitation.last)
    get new_acceptance_path(token: token)
    assert_redirected_to new_session_path

    post settings_invitations_path, params: { invitation: { email_address: "viewer@example.org", role: "viewer" } }
    assert_response :unprocessable_entity
    assert_select ".error", /has an account already/i
  end

  test "a removed account loses access but not its runs" do
    test_runs(:finished).update! creator: users(:experimenter)
    theirs = open_session { |browser| browser.get sign_in_link_path(token: users(:experimenter).sign_in_token) }
    sign_in_as users(:administrator)

    delete settings_user_path(users(:experimenter))

    theirs.get test_runs_path
    theirs.assert_redirected_to theirs.new_session_path
    get test_runs_path(format: :json), headers: BEARER
    assert_response :unauthorized
    sign_out
    post session_path, params: { email_address: "experimenter@example.org", password: "correct horse battery" }
    assert_response :unprocessable_entity
    assert_equal users(:experimenter), test_runs(:finished).reload.creator
  end

  test "the last administrator keeps the role" do
    sign_in_as users(:administrator)

    patch settings_user_path(users(:administrator)), params: { user: { role: "viewer" } }
    assert_match "only administrator", flash[:alert]
    delete settings_user_path(users(:administrator))
    assert_match "only administrator", flash[:alert]

    assert_equal [ "administrator", nil ], users(:administrator).reload.values_at(:role, :removed_at)
    patch settings_user_path(users(:viewer)), params: { user: { role: "king" } }
    assert_match "must be viewer, experimenter or administrator", flash[:alert]
  end

  test "another browser can be signed out" do
    other = open_session { |browser| browser.get sign_in_link_path(token: users(:viewer).sign_in_token) }
    sign_in_as users(:viewer)
    get settings_path
    assert_select "#sessions tbody tr", 2

    delete settings_session_path(users(:viewer).sessions.order(:id).first)

    other.get test_runs_path
    other.assert_redirected_to other.new_session_path
    get test_runs_path
    assert_response :success
    delete settings_session_path(users(:administrator).sessions.create!)
    assert_response :not_found
  end

  test "the audit log outlives the run" do
    run = test_runs(:finished)
    sign_in_as users(:experimenter)
    delete test_run_path(run)
    patch settings_columns_path, params: { columns: [] }
    post test_runs_path, params: { test_run: { name: "" } }
    sign_out
    delete test_run_path(test_runs(:draft)), headers: BEARER, as: :json
    sign_in_as users(:administrator)

    get audit_entries_path(who: "experimenter@example.org", format: :json)

    assert_equal [ [ "deleted", "run #{test_runs(:draft).id} #{test_runs(:draft).name}", "Laptop" ],
      [ "signed out", nil, nil ], [ "deleted", "run #{run.id} #{run.name}", nil ],
      [ "signed in by a link", nil, nil ] ],
      response.parsed_body.map { |entry| entry.values_at("action", "subject", "token") }
    assert_equal [ "127.0.0.1" ], response.parsed_body.pluck("ip_address").uniq
    get audit_entries_path(q: "deleted run #{run.id}")
    assert_select "tbody tr", 1
  end

  test "the audit log records what was done in part" do
    done, at_work = test_runs(:finished), test_runs(:running)
    sign_in_as users(:experimenter)
    machines(:finished_local).update! state: "ready"

    post machines_sweep_path
    post deletion_path, params: { test_run_ids: [ done.id, at_work.id ] }
    assert_match "Run #{at_work.id}", flash[:alert]
    post tagging_path(format: :json), params: { tag: "kept", test_run_ids: [ "none" ] }
    assert_response :unprocessable_entity

    assert_equal [ [ "deleted", "runs #{done.id}" ], [ "released orphaned machines", "local" ] ],
      AuditEntry.reverse_chronologically.first(2).map { |entry| [ entry.action, entry.subject ] }
  end
end
