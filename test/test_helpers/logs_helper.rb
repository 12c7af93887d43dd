# Makes runs with logs for the log analyzer from a seed.
module LogsHelper
  # @return an ended run with a zip of 3,000 requests in 30 seconds, of about 5 ms times the factor slower
  def run_with_logs(slower: 1.0, seed: 1, **attributes)
    TestRun.from_definition("name" => "Logged", "duration" => "30s", "brokers" => [ { "scenario" => "Broker" } ],
      "clients" => [ { "scenario" => "OneWayClient" } ]).tap do |run|
      run.assign_attributes creator: users(:experimenter), **attributes
      run.update! state: "finished", launched_at: 1.minute.ago, load_starts_at: 50.seconds.ago, ended_at: 20.seconds.ago
      run.update! figures: { "examined" => true, "checks" => [ { "verdict" => "good", "check" => "All" } ] }
      attach_logs run, slower: slower, seed: seed
    end
  end

  def attach_logs(run, slower: 1.0, seed: 1)
    random, start = Random.new(seed), 1_383_684_920_000
    lines = Array.new(3_000) do |n|
      took = ((4_000 + random.rand(2_000)) * slower).round
      "#{took};#{start + n * 10};CSndReq#OK#sendMessage;C[1]"
    end
    head = "MLMQ performance log Scenario[OneWayClient] Role[client] Position[0] Clients[1] Unit[us] Sample[1/1] " \
      "Started[#{start}]"
    zip = Zip::OutputStream.write_buffer do |out|
      out.put_next_entry "logs/local/client_0/performance_client_0.log"
      out.write [ head, *lines ].join("\n")
    end
    run.archive.attach io: StringIO.new(zip.string), filename: "test_run_#{run.id}.zip", content_type: "application/zip"
  end
end

ActiveSupport::TestCase.include LogsHelper
