# What of our own environment programs are told that we start on this machine: builds, JVMs, the log analyzer. They run
# code of others, so it is a list of what they need, and not of what they must not know (keys of clouds, the SSH agent,
# addresses of our services).
module OwnEnvironment
  NAMES = %w[ PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR JAVA_HOME JAVA_OPTS M2_HOME MAVEN_OPTS ]
  # For git alone, which fetches from elsewhere: proxies may have passwords, the agent has keys.
  OF_GIT = %w[ SSH_AUTH_SOCK GIT_SSH_COMMAND http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY
    SSL_CERT_FILE SSL_CERT_DIR ]

  # more: names, beside which TESTMASTER_HANDS_ON may say others
  def self.handed_on(*more)
    ENV.slice(*NAMES, *more, *ENV.keys.grep(/\ALC_/), *ENV["TESTMASTER_HANDS_ON"].to_s.split(/[\s,]+/))
  end
end
