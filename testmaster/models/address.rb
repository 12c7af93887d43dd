# Addresses of databases and of git repositories may hold passwords. Here, and in the two classes of this module, they
# are taken apart and shown without; nowhere else.
module Address
  HIDDEN = "[FILTERED]"
  PASSWORD = %r{(?<=://)([^:/@\s"'<>]{0,500}):[^\s"'<>]{0,500}(?=@)}
  TOKEN = %r{(?<=https://|http://)[^:/@\s"'<>]{1,500}(?=@)}
  PARAMETER = /([?&;](?:ssl)?(?:password|token|private_token|access_token)=)[^&\s"'#<>]+/i

  # Any text, with the passwords of all addresses in it hidden.
  def self.redact(text)
    text.gsub(PASSWORD) { "#{$1}:#{HIDDEN}" }.gsub(TOKEN, HIDDEN).gsub(PARAMETER) { "#{$1}#{HIDDEN}" }
  end
end
