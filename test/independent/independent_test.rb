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

  test "failed requests count as in a second implementation" do
    in_folder(8) { |folder| assert_empty Independent::Comparison.new(folder).different_compared }
  end

  private
    def in_folder(seed)
      Dir.mktmpdir { |folder| yield Independent::Generator.new(seed).write_to(folder) }
    end
end
