# Reads a test run from the form, or from a definition (YAML, or JSON with the same words).
module TestRunParams
  STARTING_POINT = {
    "name" => "", "provider" => "local", "duration" => "60s", "warmup" => "10s", "cooldown" => "5s",
    "jit_compiler" => "c1", # steady within so short a warm-up
    "brokers" => [ { "scenario" => "Broker", "machines" => 1, "jvms" => 1 } ],
    "clients" => [ { "scenario" => "OneWayClient", "machines" => 1, "jvms" => 1, "clients" => 10 } ],
    "thresholds" => [ "errors < 1 %" ]
  }

  GROUPS = %i[ broker_groups_attributes client_groups_attributes ]
  LISTS = %i[ thresholds abort_when ]

  private
    def test_run_params
      if params[:definition]
        { definition: params[:definition].try(:to_unsafe_h) || params[:definition] }
      elsif params[:example]
        { definition: Example.find(params[:example].to_s).definition }
      else
        form_params
      end
    end

    def form_params(fields = fields_of(:test_run))
      ordered = GROUPS.select { |name| fields.key?(name) }.to_h { |name| [ name, in_order(fields[name], name) ] }
      fields.merge(ordered).permit(*Definition.parameters).tap do |permitted|
        LISTS.each { |list| permitted[list]&.compact_blank! }
        if !in_database?(permitted)
          forget_database permitted
        elsif !permitted[:database_kind].in?([ nil, "machine" ])
          forget_settings_of_machine permitted
        end
      end
    end

    # The parameter is a list, or the hash of a form: { "0" => { … }, … }. Earlier forms, which may still be open or
    # stored, sent the id and the position of a group.
    def in_order(given, name)
      groups = given.is_a?(ActionController::Parameters) ? given.values : given
      unless groups.is_a?(Array) && groups.all?(ActionController::Parameters)
        raise ActionController::UnpermittedParameters, [ name.to_s ]
      end

      groups.sort_by.with_index { |group, n| [ group[:position].to_s.to_i, n ] }
        .map { |group| group.except(:id, :position) }
    end

    def in_database?(permitted)
      gone = ActiveModel::Type::Boolean.new
      groups = Array(permitted[:broker_groups_attributes]).reject { |group| gone.cast(group[:_destroy]) }
      groups.all? { |group| System[group[:system]].nil? || System[group[:system]].in_database? }
    end

    # The form hides these fields if another system keeps the messages.
    def forget_database(permitted)
      none = Scenario.database_settings.to_h { |setting| [ setting.name, "" ] }
      permitted.merge! database_kind: "embedded", database_url: "", further_database_settings_text: "",
        keep_database: "0", database_fields: ActionController::Parameters.new(none).permit!
    end

    # The form hides these fields if the database has no machine of its own.
    def forget_settings_of_machine(permitted)
      permitted.merge! further_database_settings_text: "",
        database_fields: permitted[:database_fields].to_h.slice(*Definition::DatabaseSettings::OURS)
    end
end
