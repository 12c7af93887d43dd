require "test_helper"
require_relative "comparison"
require_relative "generator"

# Checks a few of the folders that test/independent/check covers in bin/ci.
class IndependentTest < ActiveSupport::TestCase
  test "figures equal those of a second implementation" do
    [ 3, 7, 26 ].each do |seed|
      in_folder(seed) { |folder| assert_empty Independent::Comparison.drawn(folder, seed).differences, "seed #{seed}" }
    end
  end

  test "memory and network of the fullest machine are those of a second implementation" do
    [ 3, 7, 26 ].each do |seed|
      in_folder(seed) { |folder| assert_empty Independent::Comparison.new(folder).different_machines, "seed #{seed}" }
    end
  end

  test "requests under way are those of the records" do
    log = Struct.new(:weight).new(1)
    records = (-300...1_000).step(100).map do |ms|
      Independent::Record.new(ms, ms + 300, 300_000, 200_000, "CSndReq#OK#a", log)
    end
    compared = Independent::UnderWay.new(Struct.new(:records, :steady).new(records, [ 0, 1_000 ]))

    assert_empty compared.differences(2.0)
    assert_equal [ "under_way: analyzer 3.0, independent 2.0 ± 0.02" ], compared.differences(3.0)
  end

  test "failed requests count as in a second implementation" do
    in_folder(8) { |folder| assert_empty Independent::Comparison.new(folder).different_compared }
  end

  private
    def in_folder(seed)
      Dir.mktmpdir { |folder| yield Independent::Generator.new(seed).write_to(folder) }
    end
end
