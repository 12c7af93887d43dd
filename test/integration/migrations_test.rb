require "test_helper"
require "ripper"

# A migration works with the tables of its time, but a model knows only the present ones.
class MigrationsTest < ActiveSupport::TestCase
  setup { Rails.autoloaders.main.eager_load }

  test "no migration names a model of the application" do
    Rails.root.glob("db/migrate/*.rb").each do |file|
      assert_empty constants_in(file.read) & models, file.basename.to_s
    end
  end

  test "names in comments, SQL and class lines do not count" do
    assert_equal %w[ TestRun ], constants_in(<<~RUBY) & models
      # A TestRun has builds
      class Build < ActiveRecord::Migration[7.2]
        def up
          execute "SELECT 'Machine'"
          TestRun.update_all state: "failed"
        end
      end
    RUBY
  end

  private
    def models
      @models ||= ApplicationRecord.descendants.map { |model| model.name.split("::").first }.uniq
    end

    # @return the constants that the source refers to
    def constants_in(source)
      tokens = Ripper.lex(source).reject { |token| token[1].in?(%i[ on_sp on_comment on_nl on_ignored_nl ]) }
      tokens.each_with_index.filter_map { |token, n| token[2] if token[1] == :on_const && tokens[n - 1][2] != "class" }
    end
end
