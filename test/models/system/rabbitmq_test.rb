require "test_helper"
require_relative "driven_contract"

class System::RabbitmqTest < ActiveSupport::TestCase
  include DrivenSystemContract

  private
    def system
      System[:rabbitmq]
    end
end
