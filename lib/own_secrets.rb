require "fileutils"
require "pathname"
require "securerandom"

# The Testmaster's secrets, which decrypt everything else. They have a folder that only the Testmaster's account may
# enter, apart from the data in storage/, which may be copied elsewhere.
class OwnSecrets
  FOLDER, KEY_BASE = "secrets", "secret_key_base"

  def initialize(root)
    @folder, @former = Pathname(root).join(FOLDER), Pathname(root).join("storage")
  end

  def folder
    @folder.mkpath
    @folder.chmod 0700 unless @folder.stat.mode & 0777 == 0700
    @folder
  end

  # The key is created at the first start. Earlier versions kept it in storage/, from where it is moved.
  def key_base
    file, former = folder.join(KEY_BASE), @former.join(KEY_BASE)
    put file, former.exist? ? former.read : SecureRandom.hex(64) unless file.exist?
    file.chmod 0600 unless file.stat.mode & 0777 == 0600
    file.read.tap { |secret| former.delete if former.exist? && former.read == secret }
  end

  private
    # Writes the file atomically; if two processes start at the same time, the first one's file counts.
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
