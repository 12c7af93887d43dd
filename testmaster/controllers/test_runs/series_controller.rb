class TestRuns::SeriesController < ApplicationController
  include TestRunScoped

  rescue_from(Outcome::Series::Refused) { |refusal| answer_unsound refusal.message }

  def show
    render json: JSON.generate(Outcome::Series.new(@test_run, **which).as_json) # faster for plain values
  end

  private
    def which
      params.slice(:from, :to, :step, :only).permit(:from, :to, :step, :only).to_h.symbolize_keys
    end
end
