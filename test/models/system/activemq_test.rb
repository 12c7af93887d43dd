require "test_helper"
require_relative "driven_contract"

class System::ActivemqTest < ActiveSupport::TestCase
  include DrivenSystemContract

  private
    def system
      System[:activemq]
    end
end
