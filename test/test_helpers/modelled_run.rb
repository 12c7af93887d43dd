require "zip"

# Makes closed-load runs whose logs record the time of each request at each station, as a model needs.
module ModelledRun
  START, SECONDS, CLIENTS, THINK = 1_383_684_920_000, 10, 4, 5.0 # ms, s, in one JVM, ms

  def modelled_run(name: "Modelled", **settings)
    run = TestRun.from_definition("name" => name, "duration" => "10s", "warmup" => "1s", "cooldown" => "1s",
      "brokers" => [ { "scenario" => "Broker", "settings" => { "workers" => "2", "db.connections" => "2" } } ],
      "clients" => [ { "scenario" => "OneWayClient", "clients" => CLIENTS,
        "settings" => { "think.time" => "5ms", **settings } } ])
    run.creator = users(:experimenter)
    run.update! state: "finished", launched_at: 1.minute.ago, load_starts_at: 50.seconds.ago, ended_at: 40.seconds.ago
    run.update! figures: { "examined" => true, "checks" => [ { "verdict" => "good", "check" => "All" } ] }
    attach_modelled_logs run, **settings
    run
  end

  # @return an experiment with an accepted run of each point except the given ones
  def modelled_experiment(*factors, but: [])
    experiment = Experiment.from_definition("name" => "Known", "duration" => "10s", "warmup" => "1s",
      "cooldown" => "1s", "brokers" => [ { "scenario" => "Broker" } ],
      "clients" => [ { "scenario" => "OneWayClient", "settings" => { "think.time" => "5ms" } } ],
      "experiment" => { "factors" => factors, "repetitions" => 1, "order" => "listed" })
    experiment.update! creator: users(:experimenter), state: "finished", launched_at: 1.hour.ago, ended_at: 1.minute.ago
    experiment.points.reject { |point| point.number.in? but }.each { |point| model_run_at experiment, point }
    experiment.reload
  end

  private
    def model_run_at(experiment, point)
      run = experiment.run_at(point.levels)
      run.update! experiment: experiment, point: point, repetition: 1, attempt: 1, state: "finished",
        launched_at: 1.minute.ago, load_starts_at: 50.seconds.ago, ended_at: 40.seconds.ago
      run.update! figures: { "examined" => true, "exact" => { "throughput" => 250.0, "mean" => 6_000 },
        "checks" => [ { "verdict" => "good", "check" => "All" } ] }
      attach_modelled_logs run
    end

    def attach_modelled_logs(run, **settings)
      client, broker, ok, sum = requests
      steady = 8
      summary = { "role" => "client", "position" => 0, "scenario" => "OneWayClient", "clients" => CLIENTS,
        "started_ms" => START + 1_000, "duration_s" => steady, "planned_rate" => settings["rate"] && 100,
        "rate" => ok.fdiv(steady), "ok" => ok, "errors" => {}, "late" => 0, "started" => ok,
        "response" => { "mean" => sum / ok }, "bottleneck" => nil }
      files = { "environment.json" => environment(settings).to_json,
        "logs/local/client_0/performance_client_0.log" => client,
        "logs/local/client_0/summary_client_0.json" => summary.to_json,
        "logs/local/broker_0/performance_broker_0.log" => broker }
      zip = Zip::OutputStream.write_buffer do |out|
        files.each { |file, text| out.put_next_entry(file) && out.write(text) }
      end
      run.archive.attach io: StringIO.new(zip.string), filename: "test_run_#{run.id}.zip",
        content_type: "application/zip"
    end

    def requests
      random, ok, sum = Random.new(7), 0, 0.0
      client, broker = [ head("client") ], [ head("broker") ]
      CLIENTS.times do
        now = random.rand * 10
        while now < SECONDS * 1_000
          database, worker, queue = 1_500 + random.rand(600), 300 + random.rand(100), 50 + random.rand(80)
          took = database + worker + queue + 400 + random.rand(100)
          now += took / 1000.0
          at = (START + now).round
          client << "#{took};#{at};CSndReq#OK#sendMessage;C[4]"
          broker << "#{queue};#{at};BQueue;C[4]" << "#{database};#{at};BDb#sendMessage;C[4]" <<
            "#{database + worker};#{at};BProcReq#sendMessage:ok;C[4]" << "#{took - 300};#{at};BTotReqResp;C[4]"
          ok, sum = ok + 1, sum + took if now.between?(1_000, 9_000)
          now += THINK
        end
      end
      [ client.join("\n"), broker.join("\n"), ok, sum ]
    end

    def head(role)
      "MLMQ performance log Scenario[#{role == "broker" ? "Broker" : "OneWayClient"}] Role[#{role}] Position[0] " \
        "Clients[#{CLIENTS}] Unit[us] Sample[1/1] Started[#{START}]"
    end

    def environment(settings)
      client = { "client.think.time" => "5ms", **settings.transform_keys { |key| "client.#{key}" } }
      { "name" => "Modelled", "load_starts_ms" => START, "definition" => { "duration" => "10s", "warmup" => "1s",
        "cooldown" => "1s" }, "machines" => [ { "name" => "local", "cpus" => 2, "jvms" => [
          { "name" => "broker_0", "settings" => { "broker.workers" => "2", "broker.db.connections" => "2" } },
          { "name" => "client_0", "settings" => client } ] } ] }
    end
end
