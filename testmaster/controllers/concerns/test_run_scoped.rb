module TestRunScoped
  extend ActiveSupport::Concern

  included { before_action :set_test_run }

  private
    def set_test_run
      @test_run = TestRun.find(params[:test_run_id])
    end
end
