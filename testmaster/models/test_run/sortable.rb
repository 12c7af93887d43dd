# The order of runs in the list. Runs that have no such figure come last.
module TestRun::Sortable
  extend ActiveSupport::Concern

  ALL = "nullif(coalesce((figures ->> 'ok')::float, 0) + coalesce((figures ->> 'errors')::float, 0), 0)"
  # As Machine::Priced counts it
  COST = "(SELECT sum(hourly_price * greatest(extract(epoch FROM greatest(coalesce(released_at, now()), " \
    "provisioned_at + interval '60 seconds') - provisioned_at), 0) / 3600) " \
    "FROM machines WHERE machines.test_run_id = test_runs.id AND hourly_price > 0)"
  ORDERS = {
    "verdict" => "array_position('{#{TestRun::Verdict::WORDS.keys.join(",")}}'::varchar[], verdict_name)",
    "name" => "lower(name)",
    "throughput" => "(figures #>> '{rate,value}')::float",
    "mean" => "coalesce(figures #>> '{exact,mean}', figures #>> '{mean,value}')::float",
    "p50" => "coalesce(figures #>> '{exact,p50}', figures #>> '{so_far,p50}')::float",
    "p95" => "coalesce(figures #>> '{exact,p95}', figures #>> '{so_far,p95}')::float",
    "p99" => "coalesce(figures #>> '{exact,p99}', figures #>> '{so_far,p99}', figures #>> '{p99,value}')::float",
    "errors" => "(figures ->> 'errors')::float / #{ALL}",
    "late" => "(figures ->> 'late')::float / #{ALL}",
    "change" => "(SELECT worse_by FROM comparisons WHERE comparisons.test_run_id = test_runs.id)",
    "thresholds" => "thresholds_met",
    "cost" => COST,
    "duration" => "coalesce(ended_at, now()) - launched_at",
    "started" => "test_runs.created_at"
  }.transform_values { |sql| Arel.sql(sql) }

  included do
    # key: one of ORDERS, with a "-" before it for the largest first
    scope :sorted_by, ->(key) {
      if value = ORDERS[key.to_s.delete_prefix("-")]
        order((key.start_with?("-") ? value.desc : value.asc).nulls_last, id: :desc)
      else
        reverse_chronologically
      end
    }
  end
end
