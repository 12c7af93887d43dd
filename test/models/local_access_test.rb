require "test_helper"
require "minitest/mock"

class LocalAccessTest < ActiveSupport::TestCase
  test "a revoked token is replaced by a new one" do
    file = Pathname(Dir.mktmpdir).join("access.json")
    LocalAccess.renew file: file
    assert_not_predicate file, :exist?

    LocalAccess.grant "http://127.0.0.1:3999", file: file
    ApiToken.delete_all
    LocalAccess.renew file: file
    assert_equal users(:administrator), ApiToken.find_by_secret(JSON.parse(file.read)["token"]).user
  ensure
    file.dirname.rmtree
  end

  test "a token file of older versions is deleted and void" do
    folder = Pathname(Dir.mktmpdir)
    file, former = folder.join("access.json"), folder.join("storage.json")
    token = users(:administrator).api_tokens.create!(name: "left", role: "administrator", expires_at: 1.day.from_now)
    former.write({ url: "http://127.0.0.1:3999", token: token.secret }.to_json)
    assert_equal Rails.root.join("storage/local_access.test.json"), LocalAccess.former
    LocalAccess.stub(:former, former) { LocalAccess.grant "http://127.0.0.1:3999", file: file }

    assert_not_predicate former, :exist?
    assert_nil ApiToken.find_by_secret(token.secret)
  ensure
    folder.rmtree
  end

  test "each start grants one token in a private file" do
    file = Pathname(Dir.mktmpdir).join("access.json")

    2.times { LocalAccess.grant "http://127.0.0.1:3999", file: file }
    access = JSON.parse(file.read)

    assert_equal "http://127.0.0.1:3999", access["url"]
    assert_equal users(:administrator), ApiToken.find_by_secret(access["token"]).user
    assert_equal 1, ApiToken.where(name: LocalAccess::TOKEN_NAME).count
    assert_equal 0600, file.stat.mode & 0777
  ensure
    file.dirname.rmtree
  end
end
