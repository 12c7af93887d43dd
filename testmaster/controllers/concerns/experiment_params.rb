# Reads an experiment from the form, or from a definition (YAML, or JSON with its words). The form has the fields of a
# run, which all runs share.
module ExperimentParams
  include TestRunParams

  PLAIN = %i[ kind design repetitions until at_most order seed again start response generators points ]
  FIND = %i[ path from to until within by ]
  FACTOR = %i[ name unit setting paths levels ]

  private
    # Returns the experiment.
    def define(experiment)
      if params[:definition]
        experiment.definition = params[:definition].try(:to_unsafe_h) || params[:definition]
      elsif params[:example]
        experiment.definition = Example.find(params[:example].to_s).definition
      else
        define_by_form experiment, fields_of(:experiment).permit(*PLAIN, factors: FACTOR, find: FIND)
      end
      experiment
    end

    # The run keeps the passwords that it has, and what is wrong in the form.
    def define_by_form(experiment, fields)
      @typed = fields
      run = experiment.base_run.tap { |it| it.assign_attributes form_params }
      experiment.definition = { **run.to_definition, "experiment" => Experiment::Fields.new(fields).words }
      experiment.base_run = run
    end
end
