class TestRuns::DefinitionsController < ApplicationController
  include TestRunScoped

  def show
    respond_to do |format|
      format.html
      format.yaml do
        send_data @test_run.to_definition.to_yaml(line_width: -1), filename: "test_run_#{@test_run.id}.yml",
          type: "application/yaml"
      end
      format.json { render json: @test_run.to_definition }
    end
  end
end
