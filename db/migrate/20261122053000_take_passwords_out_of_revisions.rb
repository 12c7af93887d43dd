# Revisions with a user or a password are refused by now; this removes them from older records.
class TakePasswordsOutOfRevisions < ActiveRecord::Migration[7.2]
  def up
    %w[ test_runs builds ].each do |table|
      execute <<~'SQL'.sub("TABLE", table)
        UPDATE TABLE SET revision = regexp_replace(regexp_replace(revision, '^((https?|file)://)[^/]*@', '\1'), '^(ssh://[^:/]*):.*@', '\1@')
        WHERE revision ~ '^(https?|file)://[^/]*@' OR revision ~ '^ssh://[^:/]*:.*@'
      SQL
      execute "UPDATE #{table} SET revision = regexp_replace(revision, '\\?[^#]*', '') WHERE revision ~ " \
        "'^[a-z]+://[^#]*\\?'"
    end
  end

  def down
  end
end
