require "test_helper"
require "minitest/mock"

class Definition::DoubtfulTest < ActiveSupport::TestCase
  setup { @run = test_runs(:draft) }

  test "has none where a launch would succeed" do
    assert_empty reasons
  end

  test "names a revision that is not there" do
    @run.revision = "no-such-branch"

    assert_equal [ "There is no revision no-such-branch in this checkout" ], reasons
  end

  test "names a revision whose sources did not compile, until they are built" do
    @run.revision = "HEAD"
    build = Build.of("HEAD").tap { |it| it.update! state: "failed", error: "javac ended with 1" }
    assert_equal [ "The last build of revision HEAD failed: javac ended with 1" ], reasons

    build.update! error: Build::INTERRUPTED
    assert_empty reasons
    build.update! state: "completed", error: nil
    assert_empty reasons
  end

  test "leaves the commit of another repository to the build" do
    @run.revision = "https://example.org/broker.git#main"

    assert_empty reasons
  end

  test "names files of contents that clients cannot be given" do
    @run.client_groups.first.settings = { "message.content" => "file:contents/orders.json" }
    Dir.mktmpdir do |folder|
      Contents.stub(:folder, Pathname(folder)) do
        assert_equal [ "There is no file orders.json in var/contents of the Testmaster: put it there" ], reasons

        File.write "#{folder}/orders.json", ""
        assert_equal [ "The file orders.json in var/contents is empty" ], reasons

        File.write "#{folder}/orders.json", "{}"
        assert_empty reasons
      end
    end
  end

  test "names a system that this machine lacks" do
    system = System["rabbitmq"]
    @run.broker_groups.sole.assign_attributes system: "rabbitmq", settings: {}
    system.stub(:installed, "echo installed") { assert_empty reasons }
    system.stub(:installed, "true") do
      assert_equal [ "RabbitMQ is not installed on this machine: apt-get install rabbitmq-server" ], reasons
    end
  end

  test "names a database that cannot be reached" do
    server = TCPServer.new("127.0.0.1", 0)
    port = server.addr[1]
    @run.database = "postgresql://user:secret@127.0.0.1:#{port}/postgres"
    assert_empty reasons

    server.close
    assert_match(/\AThe database at 127.0.0.1:#{port} cannot be reached from here: Connection refused/, reasons.sole)
  end

  test "rented machines do not reach a database that listens here alone" do
    @run.provider = Provider::Ec2.create!(name: "cloud")

    assert_match(/\AMachines of cloud cannot reach the embedded database/, reasons.sole)
  end

  test "names heaps that the memory of this machine lacks" do
    @run.client_groups.sole.heap = "99000G"

    assert_match(/\AThe heaps of the JVMs may grow to [\d.]+ TB, and this machine has [\d.]+ GB: set smaller ones\z/,
      reasons.sole)
  end

  test "names more connections than the database takes" do
    @run.definition.stub(:most_connections, 3) do
      @run.broker_groups.sole.settings = { "db.connections" => "8" }

      assert_equal [ "The brokers open 16 connections, and the database takes 3: lower Connections, or the number of " \
        "brokers" ], reasons
    end
  end

  private
    def reasons
      Definition::Doubtful.new(@run.definition).reasons
    end
end
