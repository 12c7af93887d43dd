require "test_helper"

# What somebody can do who has no account.
class StrangersTest < ActionDispatch::IntegrationTest
  test "a stranger uploads nothing: Active Storage has no routes of its own" do
    get new_session_path

    assert_no_difference -> { ActiveStorage::Blob.count } do
      post "/rails/active_storage/direct_uploads", params: { blob: { filename: "x.zip", byte_size: 10**12, checksum: "x", content_type: "application/zip" } }, as: :json
    end
    assert_response :not_found
    assert_empty Rails.application.routes.routes.map { |route| route.path.spec.to_s }.grep(%r{\A/rails/})
  end

  test "every page but sign-in and /up asks a stranger to sign in" do
    open = %w[ sessions#new sessions#create sign_in_links#show rails/health#show ]
    routes = Rails.application.routes.routes.select { |route| route.defaults[:controller] }.reject { |route| route.internal }
    routes.each do |route|
      action = route.defaults.values_at(:controller, :action).join("#")
      next if action.in?(open)

      path = route.path.spec.to_s.delete_suffix("(.:format)").gsub(/:\w+/, "1")
      public_send route.verb.downcase, path, as: :json
      assert_response :unauthorized, "#{route.verb} #{path}"
    end
  end
end
