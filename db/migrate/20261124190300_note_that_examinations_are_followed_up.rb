# A worker that is killed after an analysis must leave no comparison, profile or webhook undone.
class NoteThatExaminationsAreFollowedUp < ActiveRecord::Migration[7.2]
  def up
    add_column :test_runs, :followed_up_at, :datetime
    execute "UPDATE test_runs SET followed_up_at = coalesce(ended_at, now()) WHERE figures ? 'examined'"
  end

  def down
    remove_column :test_runs, :followed_up_at
  end
end
