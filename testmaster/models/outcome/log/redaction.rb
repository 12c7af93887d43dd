# Removes secrets from log text, and makes control characters visible.
class Outcome::Log::Redaction
  HIDDEN = "•••"
  IN_URL, NAMED = %r{(://[^\s/:@]+:)[^\s@/]+@}, /(\b\w*(?:password|passwd|secret)["']?\s*[=:]\s*)[^\s,;&]+/i
  CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/
  DIRECTION = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/

  def initialize(run)
    @secrets = [ password_of(run), *run.credentials.secrets.values ].compact_blank
  end

  def of(text)
    text = text.gsub(Regexp.union(@secrets), HIDDEN) if @secrets.any?
    text.gsub(IN_URL, "\\1#{HIDDEN}@").gsub(NAMED, "\\1#{HIDDEN}")
      .gsub("\r\n", "\n").gsub(CONTROL) { |char| char == "\u007f" ? "\u2421" : (0x2400 + char.ord).chr(Encoding::UTF_8) }
      .gsub(DIRECTION) { |char| "\u27e8U+#{char.ord.to_s(16).upcase}\u27e9" }
  end

  private
    def password_of(run)
      run.system_password
    rescue Failure
      nil # a run without its database machine has none
    end
end
