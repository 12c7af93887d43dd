# Addresses of databases and git repositories may hold passwords. Only this module and its classes parse them and show
# them without their passwords.
module Address
  HIDDEN = "[FILTERED]"
  PASSWORD = %r{(?<=://)([^:/@\s"'<>]{0,500}):[^\s"'<>]{0,500}(?=@)}
  TOKEN = %r{(?<=https://|http://)[^:/@\s"'<>]{1,500}(?=@)}
  PARAMETER = /([?&;](?:ssl)?(?:password|token|private_token|access_token)=)[^&\s"'#<>]+/i

  # Returns the text with the passwords of all addresses in it hidden.
  def self.redact(text)
    text.gsub(PASSWORD) { "#{$1}:#{HIDDEN}" }.gsub(TOKEN, HIDDEN).gsub(PARAMETER) { "#{$1}#{HIDDEN}" }
  end
end
