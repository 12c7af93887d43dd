require "test_helper"
require "minitest/mock"
require "sidekiq/api"

class WorkerSilenceTest < ActiveSupport::TestCase
  test "a killed worker is missed within seconds" do
    { [] => false, [ 3 ] => true, [ 40 ] => false, [ 40, 3 ] => true }.each do |ages, there|
      processes = ages.map { |age| { "beat" => age.seconds.ago.to_f } }
      Sidekiq::ProcessSet.stub(:new, processes) { assert_equal there, Worker.running?, ages.inspect }
    end
    Sidekiq::ProcessSet.stub(:new, -> { raise RedisClient::CannotConnectError }) { assert_nil Worker.running? }
  end
end
