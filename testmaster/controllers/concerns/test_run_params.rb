# A test run as the form sends it, or as a definition (YAML, or JSON with the same words).
module TestRunParams
  STARTING_POINT = {
    "name" => "", "provider" => "local", "duration" => "60s", "warmup" => "10s", "cooldown" => "5s",
    "brokers" => [ { "scenario" => "Broker", "machines" => 1, "jvms" => 1 } ],
    "clients" => [ { "scenario" => "OneWayClient", "machines" => 1, "jvms" => 1, "clients" => 10 } ],
    "thresholds" => [ "errors < 1 %" ]
  }

  private
    def test_run_params
      if params[:definition]
        { definition: params[:definition].is_a?(String) ? params[:definition] : params[:definition].to_unsafe_h }
      elsif params[:example]
        { definition: Example.find(params[:example]).definition }
      else
        form_params
      end
    end

    def form_params
      params.require(:test_run).permit(:name, :description, :tag_list, :provider_id, :revision, :database_kind, :database_url, :keep_database,
        :warmup, :duration, :cooldown, :timeout, :when_jvm_dies, thresholds: [], abort_when: [],
        broker_groups_attributes: group_params, client_groups_attributes: [ *group_params, :client_count ])
        .tap { |permitted| %i[ thresholds abort_when ].each { |list| permitted[list]&.compact_blank! } }
    end

    def group_params
      [ :id, :_destroy, :position, :name, :scenario, :machine_count, :jvm_count, :heap, :instance_type, { scenario_settings: {} }, :further_settings_text ]
    end
end
