require "openssl"
require "resolv"

# Makes the certificates and the user of one run whose brokers speak TLS or whose clients sign in. Keys and password are
# derived from a secret of this Testmaster, so that they are not stored; they end with the folders of the run.
class System::Mlmq::Credentials
  USER = "load" # as which all clients sign in
  RIGHTS = "send, receive, manage on queue '%' to #{USER}"
  AUTHORITY, CERTIFICATE, KEY = "tls/authority.pem", "tls/certificate.pem", "tls/key.pem"
  PASSWORD = "MLMQ_PASSWORD" # the variable that clients read
  CURVE, DAY = "prime256v1", 86_400

  def initialize(test_run)
    @test_run = test_run
  end

  def tls? = @test_run.tls
  def signing_in? = @test_run.auth != "none"
  def by_password? = @test_run.auth == "scram"
  def by_certificate? = @test_run.auth == "certificate"

  # Returns the settings of a JVM.
  def properties_of(jvm)
    jvm.broker? ? { **properties_of_broker, **authentication } : properties_of_client
  end

  # Returns the PEM files of a JVM by their paths in its folder.
  def files_of(jvm)
    return {} unless tls?

    files = { AUTHORITY => authority.to_pem }
    files.update pair_of(jvm.role, jvm.broker? ? addresses : []) if jvm.broker? || by_certificate?
    files
  end

  # Returns the secret of clients, by the name of its environment variable.
  def secrets
    by_password? ? { PASSWORD => password } : {}
  end

  # Returns [ mark, command, secret ] for each command that makes the user in a database; the command reads the secret
  # from standard input.
  def making_user(**account)
    return [] unless signing_in?

    [ [ "user", @test_run.system.making_user(USER, password: by_password?, **account), password ],
      [ "grant", @test_run.system.granting(RIGHTS, **account), nil ] ]
  end

  def password
    secret("password").unpack1("H*")
  end

  private
    def properties_of_broker
      return {} unless tls?

      { "broker.tls.certificate" => CERTIFICATE, "broker.tls.key" => KEY,
        **(by_certificate? ? { "broker.tls.clients" => "require", "broker.tls.authorities" => AUTHORITY } : {}) }
    end

    def authentication
      signing_in? ? { "broker.auth" => @test_run.auth } : {}
    end

    def properties_of_client
      { **(tls? ? { "client.tls" => "verify_full", "client.tls.authorities" => AUTHORITY } : {}),
        **(by_certificate? ? { "client.tls.certificate" => CERTIFICATE, "client.tls.key" => KEY } : {}),
        **(by_password? ? { "client.user" => USER } : {}) }
    end

    def addresses
      @test_run.brokers.map { |jvm| jvm.machine.address }.uniq
    end

    def pair_of(role, addresses)
      key = key_of(role)
      certificate = certified role == "client" ? USER : "broker", key, [
        [ "basicConstraints", "CA:FALSE", true ], [ "keyUsage", "digitalSignature", true ],
        [ "extendedKeyUsage", role == "client" ? "clientAuth" : "serverAuth" ],
        ([ "subjectAltName", names_of(addresses) ] if addresses.any?)
      ].compact
      { CERTIFICATE => certificate.to_pem, KEY => key.private_to_pem }
    end

    def names_of(addresses)
      addresses.map { |address| "#{address.match?(Resolv::AddressRegex) ? "IP" : "DNS"}:#{address}" }.join(",")
    end

    def authority
      @authority ||= certified("authority", authority_key,
        [ [ "basicConstraints", "CA:TRUE", true ], [ "keyUsage", "keyCertSign", true ] ])
    end

    # Clocks of machines may differ by hours. An extension has a name, a value, and whether it is critical. Clients that
    # verify strictly, as Python 3.13, need the identifiers of keys.
    def certified(name, key, extensions)
      OpenSSL::X509::Certificate.new.tap do |certificate|
        certificate.version, certificate.serial = 2, OpenSSL::BN.rand(64)
        certificate.subject, certificate.issuer = subject(name), subject("authority")
        certificate.not_before, certificate.not_after = Time.current.to_time - DAY, Time.current.to_time + 30 * DAY
        certificate.public_key = key
        factory = OpenSSL::X509::ExtensionFactory.new(name == "authority" ? certificate : authority, certificate)
        [ [ "subjectKeyIdentifier", "hash" ], [ "authorityKeyIdentifier", "keyid:always" ], *extensions ]
          .each { |extension| certificate.add_extension factory.create_extension(*extension) }
        certificate.sign authority_key, OpenSSL::Digest.new("SHA256")
      end
    end

    def subject(name)
      OpenSSL::X509::Name.new([ [ "O", "Test run #{@test_run.id}" ], [ "CN", name ] ])
    end

    def authority_key
      @authority_key ||= key_of("authority")
    end

    # RFC 5915 has this form of a private key.
    def key_of(owner)
      group = OpenSSL::PKey::EC::Group.new(CURVE)
      number = OpenSSL::BN.new(secret(owner), 2) % (group.order - 1) + 1
      point = group.generator.mul(number)
      OpenSSL::PKey::EC.new(OpenSSL::ASN1::Sequence([ OpenSSL::ASN1::Integer(1),
        OpenSSL::ASN1::OctetString(number.to_s(2).rjust(32, "\0")),
        OpenSSL::ASN1::ObjectId(CURVE, 0, :EXPLICIT),
        OpenSSL::ASN1::BitString(point.to_octet_string(:uncompressed), 1, :EXPLICIT) ]).to_der)
    end

    def secret(owner)
      Rails.application.key_generator.generate_key("#{owner} of test run #{@test_run.id} of " \
        "#{@test_run.created_at&.to_fs(:usec)}", 40)
    end
end
