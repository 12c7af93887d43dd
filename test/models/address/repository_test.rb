require "test_helper"

class Address::RepositoryTest < ActiveSupport::TestCase
  test "accepts a repository with branch, tag or commit" do
    [ "https://example.org/mlmq.git#main", "ssh://git@example.org/mlmq.git#v1.2",
      "git@example.org:me/mlmq.git#feature/x", "file:///srv/mlmq" ].each do |text|
      assert_nil Address::Repository.new(text).complaint, text
    end
  end

  test "refuses secrets, git options and other transports" do
    [ "https://anna:secret-word@example.org/x.git", "https://secret-word@example.org/x.git",
      "https://example.org/x.git?private_token=secret-word", "ssh://git:secret-word@example.org/x.git",
      "file:///repo#--upload-pack=secret-word", "file:///repo#-secret-word",
      "https://example.org/x.git#+refs/*:refs/secret-word", "ext::secret-word", "https://exam ple.org/secret-word",
      "https://anna:secret/word@example.org/x.git", "https://example.org/#{"secret-word" * 100}" ].each do |text|
      repository = Address::Repository.new(text)
      assert_predicate repository.complaint, :present?, text
      assert_no_match(/secret-word/, repository.complaint, text)
    end
  end
end
