require "aws-sdk-ec2"

# Explains errors of EC2. Codes have no dots, as in the SDK: InvalidAMIIDNotFound.
class Provider::Ec2::Error < Provider::Rented::Error
  SOURCES = [ Aws::Errors::ServiceError, Aws::Errors::MissingCredentialsError, Aws::Errors::NoSuchProfileError,
    Aws::Errors::NoSuchEndpointError,
    Aws::Errors::InvalidProcessCredentialsPayload, Seahorse::Client::NetworkingError ]

  # Another zone may have capacity after these errors.
  ZONAL = %w[ InsufficientInstanceCapacity InsufficientHostCapacity InsufficientCapacity UnfulfillableCapacity
    InsufficientFreeAddressesInSubnet SpotMaxPriceTooLow Unsupported ServerInsufficientInstanceCapacity ]

  CREDENTIALS = [ "EC2 does not accept these credentials",
    "Check access key, secret and clock; a key works only in regions that its account has enabled." ]
  QUOTA = [ "The account's quota is used up",
    "Ask for a higher one (Service Quotas, 'Running On-Demand instances' or 'Spot requests'), or use fewer or " \
      "smaller instances." ]
  THROTTLED = [ "EC2 still responds 'too many requests' after several attempts",
    "Wait a few minutes: the limit is the account's, so other programs count too." ]

  LACKING = [ "The credentials lack a permission", "Give them the policy of docs/reference/ec2.md." ]

  WORDS = {
    "MissingCredentials"                => [ "There are no credentials",
      "Give the provider an access key, or this machine a profile, environment or role (docs/reference/ec2.md)." ],
    "NoSuchProfile"                     => [ "There is no such profile",
      "Name one of ~/.aws/config of the user who runs the Testmaster." ],
    "AuthFailure"                       => CREDENTIALS,
    "InvalidClientTokenId"              => CREDENTIALS,
    "InvalidAccessKeyId"                => CREDENTIALS,
    "SignatureDoesNotMatch"             => CREDENTIALS,
    "RequestExpired"                    => [ "The credentials have expired, or a clock is off",
      "Make new temporary keys, and compare this machine's clock." ],
    "ExpiredToken"                      => [ "The session token has expired", "Make new temporary keys." ],
    "UnauthorizedOperation"             => LACKING,
    "AccessDenied"                      => LACKING,
    "OptInRequired"                     => [ "The account is not signed up for this",
      "Enable the region, or accept the terms of the image, in the AWS console." ],
    "PendingVerification"               => [ "AWS still verifies the account for this region",
      "This takes up to four hours; launch again then." ],
    "Blocked"                           => [ "The account is blocked", "Ask AWS support." ],
    "InvalidAMIIDNotFound"             => [ "The image does not exist",
      "Images differ by region: choose one of this region, or patterns of names." ],
    "InvalidAMIIDMalformed"            => [ "Malformed image ID", "An id looks like ami-0123456789abcdef0." ],
    "InvalidAMIIDUnavailable"          => [ "The image cannot be used any more", "Choose another." ],
    "InvalidInstanceType"               => [ "The instance type does not exist in this region",
      "Choose another, or another region." ],
    "InvalidKeyPairNotFound"           => [ "The key pair does not exist",
      "Name one of this region, or leave it empty so that one is made." ],
    "InvalidGroupNotFound"             => [ "The security group does not exist",
      "Give the id of one in the subnet's network (sg-…), or leave it empty so that one is made." ],
    "InvalidGroupIdMalformed"          => [ "Malformed security group ID", "An id looks like sg-0123456789abcdef0." ],
    "InvalidSubnetIDNotFound"          => [ "The subnet does not exist",
      "Give the id of one in this region (subnet-…)." ],
    "InvalidPlacementGroupUnknown"     => [ "The placement group does not exist",
      "Make it in the AWS console, or leave it empty." ],
    "VcpuLimitExceeded"                 => QUOTA,
    "InstanceLimitExceeded"             => QUOTA,
    "MaxSpotInstanceCountExceeded"      => QUOTA,
    "SpotMaxPriceTooLow"                => [ "The price for spot is above the maximum",
      "Raise it, leave it empty, or launch on demand." ],
    "InsufficientFreeAddressesInSubnet" => [ "The subnet has no free addresses", "Name another subnet." ],
    "Unsupported"                       => [ "The zone does not offer this", "Choose another instance type or zone." ],
    "RequestLimitExceeded"              => THROTTLED,
    "Throttling"                        => THROTTLED
  }
  CAPACITY = [ "There is no capacity", "Try later, in another region, or with another instance type." ]

  # operation has the name of the SDK, such as run_instances.
  def self.from(source, operation)
    case source
    when Seahorse::Client::NetworkingError
      new "EC2 cannot be reached: #{source.message}", code: "Unreachable",
        advice: "Check region and endpoint of the provider, and the network of this machine."
    when Aws::Errors::ServiceError
      describe source.code, "#{operation.to_s.camelize}: #{source.message}"
    else
      describe source.class.name.demodulize.delete_suffix("Error"), source.message
    end
  end

  def self.describe(code, details)
    words, advice = WORDS[code] || (CAPACITY if code.in?(ZONAL)) || [ "EC2 refuses", nil ]
    new "#{words} (#{readable(details)})", code: code, advice: advice
  end

  # The encoded part is dropped: it has a kilobyte and only the account can decode it.
  def self.readable(details)
    details.sub(/\s*Encoded authorization failure message:.*/m, "").squish.delete_suffix(".").truncate(600)
  end

  def no_room?
    code.in? ZONAL
  end
end
