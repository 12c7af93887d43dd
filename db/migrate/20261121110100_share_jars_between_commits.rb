class ShareJarsBetweenCommits < ActiveRecord::Migration[7.2]
  def change
    # Commits that do not differ in what is built have one jar.
    add_column :builds, :tree, :string
  end
end
