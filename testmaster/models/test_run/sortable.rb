# Sorts runs in the list. Runs without the figure come last.
module TestRun::Sortable
  extend ActiveSupport::Concern

  # The SQL computes the same as Machine::Priced.
  COST = "(SELECT sum(hourly_price * greatest(extract(epoch FROM greatest(coalesce(released_at, now()), " \
    "provisioned_at + interval '60 seconds') - provisioned_at), 0) / 3600) " \
    "FROM machines WHERE machines.test_run_id = test_runs.id AND hourly_price > 0)"
  ORDERS = {
    "verdict" => "array_position('{#{Outcome::Verdict::WORDS.keys.join(",")}}'::varchar[], verdict_name)",
    "name" => "lower(name)",
    **Figure.of(:exact).to_h { |figure| [ figure.name, figure.sql ] },
    "change" => "(SELECT worse_by FROM comparisons WHERE comparisons.test_run_id = test_runs.id)",
    "thresholds" => "thresholds_met",
    "cost" => COST,
    "duration" => "coalesce(ended_at, now()) - launched_at",
    "started" => "test_runs.created_at"
  }.transform_values { |sql| Arel.sql(sql) }

  included do
    # key is one of ORDERS, with a leading "-" for the largest first.
    scope :sorted_by, ->(key) {
      if value = ORDERS[key.to_s.delete_prefix("-")]
        order((key.start_with?("-") ? value.desc : value.asc).nulls_last, id: :desc)
      else
        reverse_chronologically
      end
    }
  end
end
