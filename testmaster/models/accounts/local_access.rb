# Lets programs of the account that runs the web server use its API without configuration: at each start the server
# writes its address and a token to a file that only its owner can read.
class LocalAccess
  TOKEN_NAME = "This machine"

  def self.file
    Rails.configuration.x.secrets.folder.join("local_access.#{Rails.env}.json")
  end

  def self.grant(url, file: self.file)
    if user = User.administrators.order(:id).first
      [ file, former ].each { |known| withdraw known }
      user.api_tokens.where(name: TOKEN_NAME).delete_all
      token = user.api_tokens.create!(name: TOKEN_NAME, role: "administrator",
        expires_at: 1.year.from_now)

      FileUtils.rm_f [ file, former ]
      File.write file, { url: url, token: token.secret }.to_json, perm: 0600
    end
  end

  # Earlier versions wrote the file here.
  def self.former
    Rails.root.join("storage/local_access.#{Rails.env}.json")
  end

  # Reads the file that a server has written.
  def self.renew(file: self.file)
    grant JSON.parse(file.read).fetch("url"), file: file if file.exist?
  end

  # Deletes the token of an earlier file, also if its account is no administrator any more.
  def self.withdraw(file)
    ApiToken.where(digest: ApiToken.digest(JSON.parse(file.read).fetch("token"))).delete_all if file.exist?
  rescue JSON::ParserError, KeyError
    nil # the file was cut off while it was written
  end
  private_class_method :withdraw
end
