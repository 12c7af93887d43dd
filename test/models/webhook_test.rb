require "test_helper"
require "minitest/mock"

class WebhookTest < ActiveSupport::TestCase
  include ActiveJob::TestHelper

  # Sends its responses in order and records the requests.
  class Listener
    attr_reader :requests, :port

    def initialize(*answers)
      @answers, @requests = answers, Queue.new
      @server = TCPServer.new("127.0.0.1", 0)
      @port = @server.addr[1]
      @thread = Thread.new { loop { serve @server.accept } }
    end

    def close
      @thread.kill
      @server.close
    end

    private
      def serve(socket)
        head = +""
        head << socket.gets until head.end_with?("\r\n\r\n")
        body = socket.read(head[/content-length: (\d+)/i, 1].to_i)
        requests << [ head, body ]
        answer = @answers.shift
        socket.write answer if answer
      ensure
        socket.close
      end
  end

  setup do
    @networks = Rails.configuration.x.webhook_networks
    Rails.configuration.x.webhook_networks = [ IPAddr.new("127.0.0.0/8") ]
  end

  teardown do
    Rails.configuration.x.webhook_networks = @networks
    @listener&.close
  end

  test "sends a signed event at the end of a run" do
    listen "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    test_runs(:failed).update_columns state: "running"
    perform_enqueued_jobs only: Webhook::DeliverJob do
      run = TestRun.find(test_runs(:failed).id)
      run.update! state: "failed"
      run.report_end
    end

    head, body = @listener.requests.pop
    time, digest = head.match(/Testmaster-Signature: t=(\d+),v1=(\h{64})/i).captures
    assert_in_delta Time.current.to_i, time.to_i, 60
    assert_equal OpenSSL::HMAC.hexdigest("SHA256", @webhook.secret, "#{time}.#{body}"), digest
    assert_equal [ "test_run.ended", "failed" ],
      JSON.parse(body).then { |it| [ it["event"], it["test_run"]["verdict"]["name"] ] }
    assert_match "Host: 127.0.0.1:#{@listener.port}", head
    assert_equal [ "delivered", 200, "ok", 1 ],
      Webhook::Delivery.sole.then { |it| [ it.state, it.status, it.answer, it.attempts ] }
  end

  test "reports a run with logs after their analysis" do
    listen
    %w[ finished cancelled failed ].each do |state|
      run = run_with_logs
      run.update_columns state: state, figures: {}, creator_id: users(:experimenter).id
      run.examine
      assert_equal state, JSON.parse(run.deliveries.sole.body)["test_run"]["state"]
    end
    assert_equal 3, Webhook::Delivery.count
  end

  test "retries seven times and follows no redirect" do
    listen(*Array.new(7, "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"))
    delivery = @webhook.test
    pauses = Array.new(7) do
      travel_to delivery.next_attempt_at
      delivery.deliver
      delivery.next_attempt_at && delivery.next_attempt_at - Time.current
    end

    assert_equal [ *Webhook::Delivery::PAUSES.map(&:to_i), nil ], pauses.map { |pause| pause&.round }
    assert_equal [ "given_up", 302 ], [ delivery.state, delivery.status ]
    delivery.deliver
    assert_equal 7, @listener.requests.size
  end

  test "survives lost responses, long ones and lost jobs" do
    listen "HTTP/1.1 200 OK\r\nContent-Length: 9000000\r\n\r\n#{"x" * 9_000}"
    delivery = @webhook.test
    delivery.deliver
    assert_equal [ "delivered", 200 ], [ delivery.state, delivery.answer.size ]

    lost = @webhook.test
    @listener.close
    lost.deliver
    assert_predicate lost, :pending?
    assert_match(/refused/i, lost.answer)
    clear_enqueued_jobs
    travel 2.minutes
    assert_enqueued_with(job: Webhook::DeliverJob, args: [ lost ]) { TestRun.resume_abandoned TestRun.none }
    @listener = nil
  end

  test "refuses addresses inside the network" do
    Rails.configuration.x.webhook_networks = []
    %w[ 127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 [::1] [fe80::1] [fd00::1]
      [::ffff:127.0.0.1] [64:ff9b::7f00:1] [::7f00:1] ].each do |host|
      assert_match "inside the network", Webhook::Destination.new("http://#{host}:8080/x").complaint, host
    end
    %w[ ftp://example.org x //example.org https:// http://u:p@example.org ].each do |url|
      assert Webhook::Destination.new(url).complaint, url
    end
    assert_nil Webhook::Destination.new("https://example.org/hook?x=1").complaint

    looked_up = 0
    answers = ->(*) { looked_up += 1; looked_up == 1 ? [ "93.184.216.34", "10.0.0.1" ] : [ "93.184.216.34" ] }
    names = Struct.new(:answers) { def getaddresses(name) = answers.call(name) }.new(answers)
    Resolv.stub(:new, names) do
      trap = Webhook::Destination.new("http://trap.example.org")
      error = assert_raises(Webhook::Destination::Refused) { trap.post("", {}) }
      assert_match "trap.example.org leads to 10.0.0.1", error.message
    end
    assert_equal 1, looked_up
  end

  test "sends the host name to the checked address" do
    listen "HTTP/1.1 204 No Content\r\n\r\n"
    names = Struct.new(:found) { def getaddresses(_) = [ found ] }.new("127.0.0.1")
    Resolv.stub(:new, names) do
      answer = Webhook::Destination.new("http://hooks.example.org:#{@listener.port}/in").post("{}", {})
      assert_equal 204, answer.status
    end
    assert_match(/\APOST \/in HTTP\/1.1\r\n.*^Host: hooks\.example\.org:#{@listener.port}\r$/m,
      @listener.requests.pop.first)
  end

  private
    def listen(*answers)
      @listener = Listener.new(*answers)
      @webhook = users(:experimenter).create_webhook!(url: "http://127.0.0.1:#{@listener.port}/hook")
    end
end
