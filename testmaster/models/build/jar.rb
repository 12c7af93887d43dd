# A jar with its digest beside it, by which copies are compared.
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

  # Moves a finished jar to its place; the digest comes last and so tells that all of it is there.
  def put(file)
    FileUtils.mkdir_p path.dirname
    FileUtils.mv file, path
    digest_path.write Digest::SHA256.file(path).hexdigest
  end

  def open(&block)
    path.open("rb", &block)
  end

  # By its manifest; another revision may have another one.
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
