require "test_helper"
require "puma/server"
require "puma/configuration"

# A stranger is a client without an account.
class StrangersTest < ActionDispatch::IntegrationTest
  test "a stranger cannot upload" do
    get new_session_path

    assert_no_difference -> { ActiveStorage::Blob.count } do
      post "/rails/active_storage/direct_uploads",
        params: { blob: { filename: "x.zip", byte_size: 10**12, checksum: "x", content_type: "application/zip" } },
        as: :json
    end
    assert_response :not_found
    assert_empty Rails.application.routes.routes.map { |route| route.path.spec.to_s }.grep(%r{\A/rails/})
  end

  test "a foreign host name is refused" do
    get new_session_path, headers: { "Host" => "evil.example.org" }
    assert_response :forbidden

    get new_session_path, headers: { "Host" => "127.0.0.1:3000" }
    assert_response :success
  end

  test "an oversized body is refused unread" do
    serving do |port|
      { "Content-Length: 900000000\r\n\r\n{" => "413",
        "Transfer-Encoding: chunked\r\n\r\n" + "100000\r\n#{"x" * 0x100000}\r\n" * 3 => "413" }.each do |rest, status|
        socket = TCPSocket.new("127.0.0.1", port)
        socket.write "POST /test_runs.json HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n#{rest}"
        assert_equal status, socket.gets.split[1]
      ensure
        socket&.close
      end
    end
  end

  test "new files are private to the account" do
    assert_equal 0077, File.umask
  end

  test "only public pages work without signing in" do
    open = %w[ sessions#new sessions#create sessions/factors#new sessions/factors#create sign_in_links#show
      acceptances#new acceptances#create healths#show ]
    routes = Rails.application.routes.routes.select { |route| route.defaults[:controller] }.reject do |route|
      route.internal
    end
    routes.each do |route|
      action = route.defaults.values_at(:controller, :action).join("#")
      next if action.in?(open)

      path = route.path.spec.to_s.delete_suffix("(.:format)").sub("/settings/:id", "/settings/people").gsub(/:\w+/, "1")
      public_send route.verb.downcase, path, as: :json
      assert_response :unauthorized, "#{route.verb} #{path}"
    end
  end

  private
    # Serves with the limits of config/puma.rb.
    def serving
      configured = Puma::Configuration
        .new(config_files: [ Rails.root.join("config/puma.rb").to_s ]).tap(&:clamp).options
      server = Puma::Server.new(Rails.application, nil,
        http_content_length_limit: configured[:http_content_length_limit])
      port = server.add_tcp_listener("127.0.0.1", 0).addr[1]
      server.run
      yield port
    ensure
      server.stop true
    end
end
