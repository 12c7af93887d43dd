require "test_helper"
require "test_helpers/zipped_logs"

class Outcome::LogTest < ActiveSupport::TestCase
  include ZippedLogs

  setup { @run = test_runs(:finished) }

  test "reads a page of a huge log in pieces" do
    line = "#{"0123456789" * 10}\n"
    attach_zip @run, "broker_0/performance_broker_0.log" => ->(sink) { 30_000.times { sink << line * 100 } },
      "broker_0/broker_0.log" => "x\n"
    @run.reload
    read = ->(at) { Outcome::Log.read(@run, "broker_0", "performance_broker_0.log", at) }
    size = 30_000 * 100 * line.bytesize
    before = resident

    middle = read[size / 2]
    assert_equal [ size / 2, size ], [ middle.from, middle.bytes ]
    assert_operator middle.text.bytesize, :<=, Outcome::Log::PAGE
    assert middle.text.end_with?("\n")
    assert_equal middle.to, middle.next
    assert_equal line, read[middle.next].text.lines.first

    last = read[nil]
    assert_equal [ size, nil, line ], [ last.to, last.next, last.text.lines.first ]
    assert_operator resident - before, :<, 150.megabytes, "growth for a log of #{size / 1.megabyte} MB"
  end

  test "an endless line is cut" do
    attach_zip @run, "broker_0/broker_0.log" => ->(sink) { 80.times { sink << "a" * 1.megabyte } }
    selection = Outcome::Log::Selection.new(@run.reload)

    assert_equal [ "broker_0.log" ], selection.cut.map(&:name)
    assert_operator selection.records.sum(&:bytesize), :<, Outcome::Log::Selection::KEPT + 1.megabyte
  end

  test "reads time, level and thread of other systems' logs" do
    attach_zip @run, "broker_0/broker_0.log" => <<~LOG
      2026-11-22 14:33:00.178046+00:00 [error] <0.223.0> of RabbitMQ
      2026-11-22T14:33:01.500Z WARN BrokerService of ActiveMQ
      2026-11-22 14:33:02.176 UTC [25668] LOG:  of PostgreSQL
      \tmore of it
    LOG
    records = Outcome::Log::Selection.new(@run.reload).records

    assert_equal [ %w[ SEVERE <0.223.0> ], %w[ WARNING BrokerService ], %w[ INFO 25668 ] ],
      records.map { |record| [ record.level, record.thread ] }
    assert_equal [ 178, 1500, 2176 ], records.map { |record| record.time % 60_000 }
    assert_equal [ "of RabbitMQ", "of ActiveMQ", "of PostgreSQL\n\tmore of it" ], records.map(&:words)
  end

  test "hides secrets and shows control characters" do
    redaction = Outcome::Log::Redaction.new(@run)
    text = "to postgresql://bob:s3cret@db/x password=hunter2, #{@run.run_database.password}\e[31m\u202egnp\0\ttab"

    assert_equal "to postgresql://bob:•••@db/x password=•••, •••␛[31m⟨U+202E⟩gnp␀\ttab", redaction.of(text)
  end

  test "hides the password with which clients sign in" do
    @run.auth = "scram"

    assert_equal "it is •••", Outcome::Log::Redaction.new(@run).of("it is #{@run.credentials.password}")
  end

  test "groups the threads of a dump by their stacks" do
    record = Outcome::Log::Record.new(nil, "2013-11-05T20:55:20.971Z INFO command-file stack traces of 3 threads\n", 0)
    [ "worker 1 WAITING\n", "    at a.B.c(B.java:1)\n", "main RUNNABLE\n", "worker-2 WAITING\n",
      "    at a.B.c(B.java:1)\n" ].each { |line| record << line }

    assert record.dump?
    assert_equal [ [ "RUNNABLE", [ "main" ], [] ],
      [ "WAITING", [ "worker 1", "worker-2" ], [ "at a.B.c(B.java:1)" ] ] ], record.groups.map(&:to_a)
    assert_equal 1383684920971, record.time
  end

  private
    def resident
      GC.start
      File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i.kilobytes
    end
end
