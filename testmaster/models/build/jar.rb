# A jar with its digest beside it; copies are compared by the digest.
class Build::Jar
  MANIFEST = "META-INF/MANIFEST.MF"

  attr_reader :path

  def initialize(path)
    @path = path
  end

  def name
    path.basename.to_s
  end

  def digest
    @digest ||= digest_path.read.strip
  end

  def intact?
    path.file? && digest_path.file? && Digest::SHA256.file(path).hexdigest == digest
  end

  # Moves a finished jar to its place. The digest is written last, so its presence shows that the jar is complete.
  def put(file)
    FileUtils.mkdir_p path.dirname
    FileUtils.mv file, path
    digest_path.write Digest::SHA256.file(path).hexdigest
  end

  def open(&block)
    path.open("rb", &block)
  end

  # The manifest names the class, as revisions may differ.
  def main_class
    open do |io|
      manifest = ZipKit::FileReader.read_zip_structure(io: io).find { |entry| entry.filename == MANIFEST }
      manifest&.extractor_from(io)&.extract.to_s[/^Main-Class: *(\S+)/, 1]
    end or raise Failure, "#{name} of this revision names no main class"
  end

  private
    def digest_path
      path.sub_ext(".jar.sha256")
    end
end
