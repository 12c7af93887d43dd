# Selects the environment variables for programs that the Testmaster starts on this machine: builds, JVMs, the log
# analyzer. They run foreign code, so this is a list of what they need. It keeps back secrets such as cloud keys, the
# SSH agent, and addresses of services.
module OwnEnvironment
  NAMES = %w[ PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR JAVA_HOME JAVA_OPTS M2_HOME MAVEN_OPTS ]
  # Only git gets these to fetch from other hosts: proxies may have passwords, and the agent has keys.
  OF_GIT = %w[ SSH_AUTH_SOCK GIT_SSH_COMMAND http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY
    SSL_CERT_FILE SSL_CERT_DIR ]

  # more has names of further variables; TESTMASTER_HANDS_ON may add others.
  def self.handed_on(*more)
    ENV.slice(*NAMES, *more, *ENV.keys.grep(/\ALC_/), *ENV["TESTMASTER_HANDS_ON"].to_s.split(/[\s,]+/))
  end
end
