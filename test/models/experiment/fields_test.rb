require "test_helper"

class Experiment::FieldsTest < ActiveSupport::TestCase
  test "a row is a factor, and an empty row is none" do
    rows = [ { setting: "brokers.0.settings.workers", levels: "4, 8" }, { name: " ", levels: "" },
      { name: "load", unit: "clients", paths: "clients.0.clients = 8, 16\nclients.1.clients = 1,2", levels: "8,16" } ]

    assert_equal [ { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => %w[ 4 8 ] },
      { "name" => "load", "unit" => "clients", "levels" => %w[ 8 16 ],
        "paths" => { "clients.0.clients" => %w[ 8 16 ], "clients.1.clients" => %w[ 1 2 ] } } ],
      words(design: "2k", factors: rows)["factors"]
  end

  test "a condition takes the place of a number of repetitions" do
    assert_equal "3", words(design: "grid", repetitions: "3", until: "")["repetitions"]
    assert_equal({ "until" => "mean +- 5 %", "at_most" => "9" },
      words(design: "grid", repetitions: "3", until: "mean +- 5 %", at_most: "9")["repetitions"])
  end

  test "each line is a point" do
    assert_equal [ { "workers" => "4", "think time" => "15" }, { "workers" => "8" } ],
      words(design: "points", points: "workers 4, think time 15\n\nworkers=8")["points"]
  end

  test "a search needs no kind if it has a range" do
    asked = { path: "clients.0.settings.rate", from: "100/s", to: "800/s", until: "p99 < 50 ms\r\nerrors < 1 %" }

    assert_equal({ "find" => { "path" => "clients.0.settings.rate", "from" => "100/s", "to" => "800/s",
      "until" => [ "p99 < 50 ms", "errors < 1 %" ] }, "again" => "1" }, words(find: asked, again: "1", order: "random"))
    assert_includes words(kind: "design", design: "grid", find: asked), "factors"
  end

  private
    def words(fields)
      Experiment::Fields.new(fields.deep_dup.with_indifferent_access).words
    end
end
