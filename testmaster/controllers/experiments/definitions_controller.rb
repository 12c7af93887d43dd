class Experiments::DefinitionsController < ApplicationController
  include ExperimentScoped

  def show
    respond_to do |format|
      format.yaml do
        send_data @experiment.to_definition.to_yaml(line_width: -1), filename: "experiment_#{@experiment.id}.yml",
          type: "application/yaml"
      end
      format.json { render json: @experiment.to_definition }
    end
  end
end
