# Analyses can be cancelled like comparisons, evaluations, predictions and profiles.
class LetAnalysesBeCancelled < ActiveRecord::Migration[7.2]
  def change
    add_column :analyses, :step, :string
    add_column :analyses, :cancelled_at, :datetime
  end
end
