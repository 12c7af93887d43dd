require "test_helper"
require_relative "driven_contract"

class System::PostgresqlTest < ActiveSupport::TestCase
  include DrivenSystemContract

  private
    def system
      System[:postgresql]
    end
end
