require "test_helper"
require "aws-sdk-ec2"

class MachinesControllerTest < ActionDispatch::IntegrationTest
  setup { sign_in_as users(:experimenter) }
  teardown { Aws.config.delete :ec2 }

  test "lists allocated machines with their runs" do
    get machines_path

    assert_select ".machines tbody tr", 1
    assert_select ".machines a[href=?]", test_run_path(test_runs(:running))
  end

  test "a machine kept for an experiment says so" do
    factor = { "name" => "workers", "path" => "brokers.0.settings.workers", "levels" => [ 1, 2 ] }
    experiment = Experiment.from_definition(TestRunParams::STARTING_POINT.merge("name" => "Workers",
      "experiment" => { "factors" => [ factor ] }))
    experiment.update! creator: users(:experimenter)
    test_runs(:finished).update_columns experiment_id: experiment.id
    machines(:finished_local).update! state: "kept"

    get machines_path
    assert_select "td", "Kept for the next run of experiment #{experiment.id}"
    assert_select ".machines a[href=?]", experiment_path(experiment)
  end

  test "a sweep releases what no active run uses" do
    machines(:finished_local).update! state: "ready"
    post machines_sweep_path

    assert_equal "Released: local.", flash[:notice]
    assert_predicate machines(:finished_local).reload, :released?
    assert_predicate machines(:running_local).reload, :ready?
  end

  test "names orphaned machines with the reason" do
    machines(:finished_local).update! state: "ready"
    rent instance_id: "i-0lost",
      tags: [ { key: "testmaster:owner", value: "tester" }, { key: "testmaster:run", value: "0" } ]

    get machines_path
    assert_select "turbo-frame#leftovers[src=?]", machines_leftovers_path
    get machines_leftovers_path
    assert_select "#leftovers tbody tr", 2
    assert_select "#leftovers td", "Run #{test_runs(:finished).id} is over"
    assert_select "#leftovers tr", /i-0lost.*cloud.*Not assigned to a run/m

    post machines_sweep_path
    assert_equal "Released: local and i-0lost.", flash[:notice]
    get machines_leftovers_path(format: :json)
    assert_empty response.parsed_body
  end

  test "a failing provider is named and stops no other" do
    machines(:finished_local).update! state: "ready"
    rent_is_refused

    get machines_leftovers_path
    assert_select "#leftovers tbody tr", 1
    assert_select "#leftovers .note", /cloud does not list its machines: The credentials lack a permission/
    get machines_leftovers_path(format: :json)
    assert_response :service_unavailable
    assert_match(/\Acloud does not list its machines: The credentials lack a permission/, response.parsed_body["error"])
    assert_equal [ machines(:finished_local).id ], response.parsed_body["leftovers"].pluck("id")

    post machines_sweep_path(format: :json)
    assert_equal [ machines(:finished_local).id ], response.parsed_body["released"].pluck("id")
    assert_match(/\Acloud: The credentials lack a permission/, response.parsed_body["complaints"].sole)
  end

  test "shows normals, and forgets that of a machine that was changed on purpose" do
    get machines_path
    assert_select "#normals", /None has been calibrated yet/

    5.times { Machine::Calibration.create! provider: providers(:local), site: "10.0.0.5", flush: 1_200, folder: "run" }
    get machines_path
    assert_select "#normals tbody tr", /10.0.0.5 local.*5.*1\.20.ms/m
    get machines_normals_path(format: :json)
    assert_equal [ "10.0.0.5", 5, 1_200.0, nil ], response.parsed_body.sole.then { |it|
      [ it["site"], it["calibrations"], it.dig("figures", "flush", "median"), it.dig("figures", "network") ] }

    delete machines_normal_path(provider_id: providers(:local).id, site: "10.0.0.5")
    assert_redirected_to machines_path(anchor: "normals")
    assert_equal "Forgot the normal of 10.0.0.5 of local.", flash[:notice]
    assert_empty Machine::Normal.all
    assert_equal [ "forgot the normal of", "10.0.0.5 of local" ], AuditEntry.last.slice(:action, :subject).values
  end

  test "forgets no normal that is not there" do
    delete machines_normal_path(format: :json, provider_id: "x", site: "nowhere")

    assert_response :not_found
    assert_match "There is no such normal", response.parsed_body["error"]
    delete machines_normal_path
    assert_match "There is no such normal", flash[:alert]
  end

  private
    # EC2 reports this instance as running until it is terminated.
    def rent(**instance)
      living = [ { state: { name: "running" }, instance_type: "c6i.large", launch_time: 1.hour.ago, **instance } ]
      stub_ec2 describe_instances: ->(_) { { reservations: [ { instances: living } ] } },
        terminate_instances: ->(_) { living.clear && {} }
    end

    def rent_is_refused
      stub_ec2 describe_instances: "UnauthorizedOperation"
    end

    def stub_ec2(**answers)
      Aws.config[:ec2] = { stub_responses: { describe_key_pairs: {}, describe_security_groups: {}, **answers } }
      Provider::Ec2.create! name: "cloud", owner: "tester"
    end
end
