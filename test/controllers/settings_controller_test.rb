require "test_helper"

class SettingsControllerTest < ActionDispatch::IntegrationTest
  setup { sign_in_as users(:administrator) }

  test "the address of a form leads back to its page" do
    { "account" => "", "invitations" => "/people", "api_tokens" => "/tokens", "retention" => "/disk" }
      .each do |address, section|
        get "/settings/#{address}"
        assert_redirected_to "/settings#{section}"
      end
  end

  test "each section is a page of the settings" do
    assert_recognizes({ controller: "settings/sections", action: "show", id: "people" }, "/settings/people")
    assert_equal "/settings/people", settings_section_path("people")

    SettingsHelper::SECTIONS.each do |section, (word, _)|
      get [ "/settings", section ].compact_blank.join("/")

      assert_response :success
      assert_select ".tabs a[aria-current=page]", word
    end
    get "/settings/nothing"
    assert_response :not_found
  end

  test "a token is shown once and can be revoked" do
    post settings_api_tokens_path, params: { api_token: { name: "CI" } }
    secret = css_select(".secret").text
    get settings_section_path("tokens")
    assert_no_match secret, response.body

    get test_runs_path(format: :json), headers: { "Authorization" => "Bearer #{secret}" }
    assert_response :success

    delete settings_api_token_path(ApiToken.find_by_secret(secret))
    get test_runs_path(format: :json), headers: { "Authorization" => "Bearer #{secret}" }
    assert_response :unauthorized
  end

  test "a webhook is saved, tested and removed" do
    patch settings_webhook_path, params: { webhook: { url: "http://10.0.0.1/x" } }
    assert_response :unprocessable_entity
    assert_select "#webhook .error", /inside the network/
    patch settings_webhook_path, params: { webhook: { url: "https://example.org/x", secret: "short" } }
    assert_select "#webhook .error", /from 16 to 200/

    patch settings_webhook_path, params: { webhook: { url: "https://example.org/x" } }
    webhook = Webhook.sole
    assert_select "#webhook .secret", webhook.secret
    patch settings_webhook_path, params: { webhook: { url: "https://example.org/y", secret: "" } }
    assert_equal webhook.secret, webhook.reload.secret
    post settings_webhook_deliveries_path
    webhook.deliveries.sole.update! attempts: 1, status: 503, answer: "busy"
    get settings_section_path("webhook")
    assert_select "#webhook td", /503 busy/
    assert_no_match webhook.secret, response.body

    delete settings_webhook_path
    assert_not Webhook.exists?
    post settings_webhook_deliveries_path
    assert_equal "Save an address first.", flash[:alert]
  end

  test "saves limits of retention all or none" do
    Chore.all_made
    Chore::Figures.first.update! bytes: 5.megabytes, measured_at: 2.hours.ago, performed_at: 2.hours.ago, removed: 1204
    Chore::Logs.first.update! error: "log/production.log cannot be read", performed_at: 1.hour.ago, bytes: 0,
      measured_at: 1.hour.ago, removed: 1, freed: 3.megabytes
    get settings_section_path("disk")
    assert_select "#disk tr", /Figures of each second.*samples, test_run_readings.*5 MB.*2 h ago: 1,204 rows deleted/m
    assert_select "#disk tr", /log\/production.log cannot be read.*1 file deleted, 3 MB freed/m
    assert_select "#disk input[name='retention[figures]'][value='90']"
    assert_select "#disk input[name='retention[archives]']", 0

    patch settings_retention_path, params: { retention: { figures: "30", audit: "7" } }
    assert_response :unprocessable_entity
    assert_select "#disk .error", /number of days from 30 to 3650/
    assert_equal [ 90, 730 ], [ Chore::Figures.first.kept_days, Chore::Audit.first.kept_days ]
    patch settings_retention_path, params: { retention: { figures: "30", audit: "" } }
    assert_equal [ 30, nil ], [ Chore::Figures.first.kept_days, Chore::Audit.first.kept_days ]
    assert_equal "changed how long things are kept", AuditEntry.last.action

    assert_enqueued_with(job: Housekeeping::PerformJob) { post settings_housekeeping_path }
    assert Chore.all.all?(&:due?)
  end

  test "reading the settings writes nothing" do
    get settings_section_path("disk")
    assert_select "#disk tr", /Audit log.*Not yet/m
    assert_not Chore.exists?
  end

  test "a token changes no tokens, account or providers" do
    bearer = { "Authorization" => "Bearer tm_a_token_of_the_tests" }
    sign_out

    { get: [ settings_path, new_settings_provider_path(kind: "ssh"), edit_settings_provider_path(providers(:local)) ],
      post: [ settings_api_tokens_path, settings_providers_path(kind: "ssh"),
        settings_provider_check_path(providers(:local)) ],
      patch: [ settings_account_path, settings_provider_path(providers(:local)) ],
        delete: [ settings_api_token_path(api_tokens(:laptop)), settings_provider_path(providers(:local)) ] }
          .each do |verb, paths|
      paths.each do |path|
        assert_no_difference(-> { ApiToken.count + Provider.count }) do
          public_send verb, path, params: { api_token: { name: "another" } }, headers: bearer
        end
        assert_response :forbidden, "#{verb} #{path}"
      end
    end
  end

  test "a token expires, also with a new password" do
    bearer = { "Authorization" => "Bearer tm_a_token_of_the_tests" }
    sign_out
    travel_to(91.days.from_now) { get test_runs_path(format: :json), headers: bearer }
    assert_response :unauthorized

    get test_runs_path(format: :json), headers: bearer
    assert_response :success
    users(:experimenter).update! password: "another horse battery"
    get test_runs_path(format: :json), headers: bearer
    assert_response :unauthorized
  end

  test "each section is a page" do
    get settings_path
    tabs = css_select("nav.tabs a")
    assert_equal [ "Account", "Tokens", "Webhook", "People", "Providers", "Message databases", "Disk", "Audit log" ],
      tabs.map(&:text)
    tabs.first(7).each do |tab|
      get tab["href"]
      assert_select "nav.tabs a[aria-current=page]", tab.text
    end
  end

  test "a disabled provider starts no run, and its runs go on" do
    lab = Provider::Ssh.create!(name: "lab", hosts: "127.0.1.1", private_key: OpenSSL::PKey::RSA.generate(2048).to_pem)
    post settings_provider_disabling_path(lab)
    assert_predicate lab.reload, :disabled?
    get new_test_run_path
    assert_select "input[name='test_run[provider_id]'][value='#{lab.id}']", 0

    test_runs(:draft).update! provider: lab
    assert_not test_runs(:draft).launch
    assert_match(/\Alab is disabled/, test_runs(:draft).errors.full_messages.first)

    get settings_section_path("providers")
    assert_select "th", /lab\s+disabled/
    delete settings_provider_disabling_path(lab)
    assert_not lab.reload.disabled?
    assert_equal %w[ enabled disabled ], AuditEntry.order(id: :desc).limit(2).pluck(:action)
  end

  test "the audit log tells which role was given" do
    patch settings_user_path(users(:viewer)), params: { user: { role: "experimenter" } }
    assert_equal "#{users(:viewer).email_address} to experimenter", AuditEntry.last.subject

    post settings_invitations_path, params: { invitation: { email_address: "ada@example.org", role: "viewer" } }
    assert_equal "ada@example.org as viewer", AuditEntry.last.subject
    assert_select ".note [data-action='copy#copy']", "Copy"
  end

  test "a token needs a name" do
    post settings_api_tokens_path, params: { api_token: { name: "" } }

    assert_response :unprocessable_entity
    assert_select "#api_token_name[aria-invalid=true]"
  end

  test "a password change signs out other browsers" do
    other = users(:administrator).sessions.create!

    patch settings_account_path,
      params: { user: { email_address: "new@example.org", password: "a longer password", present_password: "wrong" } }
    assert_response :unprocessable_entity
    assert_select "#user_present_password[aria-invalid=true]"

    patch settings_account_path,
      params: {
        user: {
          email_address: "new@example.org", password: "a longer password", present_password: "correct horse battery"
        }
      }
    assert User.authenticate_by(email_address: "new@example.org", password: "a longer password")
    assert_not Session.exists?(other.id)
    get settings_path
    assert_response :success
  end

  test "a provider's secrets are never shown" do
    post settings_providers_path(kind: "ec2"),
      params: {
        provider: { name: "cloud", region: "eu-central-1", access_key_id: "AKIA1", secret_access_key: "hush-hush" }
      }
    assert_redirected_to settings_section_path("providers")
    provider = Provider.find_by!(name: "cloud")

    get edit_settings_provider_path(provider)
    assert_no_match(/hush-hush|PRIVATE KEY/, response.body)
    assert_select "input[name='provider[region]'][value='eu-central-1']"

    patch settings_provider_path(provider), params: { provider: { region: "eu-north-1", secret_access_key: "" } }
    assert_equal [ "eu-north-1", "hush-hush" ],
      provider.reload.then { |saved| [ saved.region, saved.secret_access_key ] }
    assert_no_match "hush-hush",
      Provider.connection.select_value("SELECT settings FROM providers WHERE id = #{provider.id}")
  end

  test "an invalid provider is shown with its mistakes" do
    post settings_providers_path(kind: "ec2"),
      params: { provider: { name: "cloud", disk_size: "4", secret_access_key: "hush-hush" } }

    assert_response :unprocessable_entity
    assert_select "#provider_disk_size[value='4'][aria-invalid=true]"
    assert_select "#provider_secret_access_key[placeholder='Not saved yet: enter it again']:not([value])"
  end

  test "an invalid port is shown beside its field" do
    post settings_providers_path(kind: "ssh"), params: { provider: { name: "lab", hosts: "10.0.0.5", ssh_port: "22x" } }

    assert_response :unprocessable_entity
    assert_select "#provider_ssh_port[value='22x'][aria-invalid=true]"
  end

  test "a form without fields is refused" do
    post settings_message_databases_path
    assert_response :bad_request
    assert_equal "The request has no message_database.", response.body
  end

  test "the local provider has no settings" do
    get edit_settings_provider_path(providers(:local))
    assert_response :not_found

    patch settings_provider_path(providers(:local)), params: { provider: { name: "mine" } }
    assert_response :not_found
  end

  test "a check shows each finding with advice" do
    provider = Provider::Ssh.create!(name: "lab", hosts: "nobody@127.0.0.1:1",
      private_key: OpenSSL::PKey::RSA.generate(2048).to_pem)
    post settings_provider_check_path(provider)

    assert_response :unprocessable_entity
    assert_select "#findings h3", /lab/
    assert_select "#findings li .state[data-state=failed]"
    assert_select "#findings li", /nobody@127.0.0.1:1 .* refuses connections/
    assert_select "#findings .hint", /sshd/
  end

  test "learned host keys are shown and can be deleted" do
    provider = Provider::Ssh.create!(name: "lab", hosts: "10.0.0.5",
      private_key: OpenSSL::PKey::RSA.generate(2048).to_pem)
    key = provider.host_keys.create!(address: "10.0.0.5", key: "ssh-ed25519 #{[ "key" ].pack("m0")}")
    get edit_settings_provider_path(provider)
    assert_select "#host-keys tr", /10.0.0.5.*SHA256:/m

    delete settings_provider_host_key_path(provider, key)
    assert_redirected_to edit_settings_provider_path(provider, anchor: "host-keys")
    assert_empty provider.host_keys.reload
  end

  test "a provider with runs cannot be removed" do
    delete settings_provider_path(providers(:local))

    assert_equal "local cannot be removed: test runs or machines belong to it.", flash[:alert]
    assert Provider.exists?(providers(:local).id)
  end
  test "rare settings are folded unless one is wrong" do
    get new_settings_provider_path(kind: "ec2")
    assert_select "#rare-settings:not([open]) #provider_endpoint"
    assert_select "#provider > .fields #provider_region"

    post settings_providers_path(kind: "ec2"), params: { provider: { name: "cloud", endpoint: "nowhere" } }
    assert_select "#rare-settings[open] #provider_endpoint[value=nowhere]"
  end
end
