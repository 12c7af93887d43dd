class ShareJarsBetweenCommits < ActiveRecord::Migration[7.2]
  def change
    # Commits with the same sources share their jars.
    add_column :builds, :tree, :string
  end
end
