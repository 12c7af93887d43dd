# Parses the address and the ref of a git repository, such as https://example.org/broker.git#branch. It holds no secret:
# git authenticates with a key or a credential helper of the account that runs the Testmaster.
class Address::Repository
  FORMAT = %r{\A(?:https://|ssh://|git@|file://)[^\s\p{Cntrl}]+\z}
  REF = /\A(?!-)[\w.\/@{}^~-]+\z/
  LONGEST = 500

  attr_reader :url, :ref

  def self.===(text)
    text.to_s.match?(%r{\A(?:[a-z]+://|git@)}i)
  end

  def initialize(text)
    @url, ref = text.to_s.split("#", 2)
    @ref = ref.presence || "HEAD"
  end

  # Returns the validation error, worded to follow the field's name and without quoting the address, or nil.
  def complaint
    case
    when url.size > LONGEST ||
      !url.match?(FORMAT) then "must begin with https://, ssh://, git@ or file:// and have no spaces"
    when secret?            then "must hold no user, password or parameter: let git of the Testmaster's account have " \
      "the key or a credential helper"
    when !ref.match?(REF)   then "must have a branch, a tag or a commit after #"
    end
  end

  private
    def secret?
      url.include?("?") || url.match?(url.start_with?("ssh://") ? %r{\Assh://[^/]*:[^/]*@} : %r{\A\w+://.*@})
    end
end
