require "test_helper"

class System::MlmqCredentialsTest < ActiveSupport::TestCase
  include RunsHelper

  test "certificates of brokers lead to the authority of the run and name the brokers' addresses" do
    run = secured(tls: true)
    run.brokers.first.machine.update! host: "broker.example.org", private_address: nil
    run = secured(tls: true)
    pem = run.credentials.files_of(run.brokers.first)

    certificate = OpenSSL::X509::Certificate.new(pem.fetch("tls/certificate.pem"))
    assert store_of(run).verify(certificate)
    assert certificate.check_private_key(OpenSSL::PKey.read(pem.fetch("tls/key.pem")))
    assert OpenSSL::SSL.verify_certificate_identity(certificate, run.brokers.first.machine.address)
    assert_not OpenSSL::SSL.verify_certificate_identity(certificate, "other.example.org")
    assert_not store_of(secured(tls: true, created_at: 1.day.ago)).verify(certificate), "another run trusts it"
  end

  test "keys and the password are the same in each process, and no log has them" do
    run = secured(tls: true, auth: "scram")
    keys = [ run, secured(tls: true, auth: "scram") ].map do |it|
      it.credentials.files_of(it.brokers.first).fetch("tls/key.pem")
    end

    assert_equal keys.first, keys.last
    assert_equal run.credentials.password, secured(auth: "scram").credentials.password
    told = run.jvms.flat_map { |jvm| [ jvm.command_line, jvm.files["config.properties"] ] }.join
    assert_no_match run.credentials.password, told
    assert_equal run.credentials.password, run.secrets["MLMQ_PASSWORD"]
  end

  test "JVMs get what they need, and nothing else" do
    plain, clients_of_tls, by_password, by_certificate =
      [ {}, { tls: true }, { auth: "scram" }, { tls: true, auth: "certificate" } ].map { |words| secured(**words) }

    assert_equal [ {}, {} ], properties_of(plain)
    assert_equal({ "client.tls" => "verify_full", "client.tls.authorities" => "tls/authority.pem" },
      properties_of(clients_of_tls).last)
    assert_equal [ { "broker.auth" => "scram" }, { "client.user" => "load" } ], properties_of(by_password)
    assert_equal %w[ broker.auth broker.tls.authorities broker.tls.certificate broker.tls.clients broker.tls.key ],
      properties_of(by_certificate).first.keys.sort
    assert_equal %w[ client.tls client.tls.authorities client.tls.certificate client.tls.key ],
      properties_of(by_certificate).last.keys.sort

    assert_empty plain.credentials.files_of(plain.brokers.first)
    assert_equal %w[ tls/authority.pem ], clients_of_tls.credentials.files_of(clients_of_tls.clients.first).keys
    client = by_certificate.credentials.files_of(by_certificate.clients.first).fetch("tls/certificate.pem")
    assert_match(/CN ?= ?load\z/, OpenSSL::X509::Certificate.new(client).subject.to_s(OpenSSL::X509::Name::ONELINE))
  end

  test "certificates of clients need TLS, and both are for MLMQ" do
    run = build_run(auth: "certificate")
    assert_not run.valid?
    assert_equal [ "Sign-in (auth) by certificate needs TLS (tls: true)" ], run.errors.full_messages
    assert_predicate build_run(auth: "certificate", tls: true), :valid?

    other = build_run(tls: true, auth: "scram", brokers: [ { system: "postgresql" } ],
      clients: [ { scenario: "PublicQueueProducer", clients: 1 } ])
    assert_not other.valid?
    assert_equal [ "TLS is for runs of MLMQ: PostgreSQL has its own",
      "Sign-in (auth) is for runs of MLMQ: PostgreSQL has its own" ], other.errors.full_messages
  end

  test "clients of a run sign in under TLS, and its folders keep no key" do
    %w[ scram certificate ].each do |auth|
      run = run_through(build_run(tls: true, auth:, **TWO_OF_EACH))

      assert_predicate run, :finished?, run.error
      assert_operator run.latest_sample.figures["ok"], :>, 100
      files = contents_of(run.archive)
      assert_no_match run.credentials.password, files.values.join
      assert_no_match(/PRIVATE KEY/, files.values.join)
      assert_nothing_left_of run
    end
  end

  private
    def secured(**words)
      TestRun.find(test_runs(:running).id).tap { |run| run.assign_attributes words }
    end

    def properties_of(run)
      [ run.brokers.first, run.clients.first ].map { |jvm| run.credentials.properties_of(jvm) }
    end

    def store_of(run)
      OpenSSL::X509::Store.new.tap do |store|
        store.flags = OpenSSL::X509::V_FLAG_X509_STRICT
        pem = run.credentials.files_of(run.clients.first).fetch("tls/authority.pem")
        store.add_cert OpenSSL::X509::Certificate.new(pem)
      end
    end
end
