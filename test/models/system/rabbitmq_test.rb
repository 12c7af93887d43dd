require "test_helper"
require_relative "contract"
require_relative "driven_contract"

class System::RabbitmqTest < ActiveSupport::TestCase
  include SystemContract, DrivenSystemContract

  private
    def system
      System[:rabbitmq]
    end
end
