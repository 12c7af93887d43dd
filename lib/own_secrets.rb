require "fileutils"
require "pathname"
require "securerandom"

# What opens everything else: in a folder of its own that only the Testmaster's account may enter, apart from the data
# in storage/, which others may copy to elsewhere.
class OwnSecrets
  FOLDER, KEY_BASE = "secrets", "secret_key_base"

  def initialize(root)
    @folder, @former = Pathname(root).join(FOLDER), Pathname(root).join("storage")
  end

  # The folder, for the account alone
  def folder
    @folder.mkpath
    @folder.chmod 0700 unless @folder.stat.mode & 0777 == 0700
    @folder
  end

  # Made at the first start. Versions before kept it in storage/, from where it is taken.
  def key_base
    file, former = folder.join(KEY_BASE), @former.join(KEY_BASE)
    put file, former.exist? ? former.read : SecureRandom.hex(64) unless file.exist?
    file.chmod 0600 unless file.stat.mode & 0777 == 0600
    file.read.tap { |secret| former.delete if former.exist? && former.read == secret }
  end

  private
    # Whole, or not at all; where two start at the same time, the first one's counts.
    def put(file, secret)
      part = file.sub_ext(".#{Process.pid}.#{SecureRandom.hex(4)}")
      part.open(File::WRONLY | File::CREAT | File::EXCL, 0600) { |io| io.write(secret) && io.fsync }
      file.make_link part
    rescue Errno::EEXIST
      nil
    ensure
      FileUtils.rm_f part
    end
end
