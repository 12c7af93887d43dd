# A file from which clients fill messages. An administrator puts it into the Testmaster's folder; a run copies it to the
# machines of its clients. Other files of a machine are not read, as everybody who reads messages would read them.
class Contents
  SETTING, VALUE = "message.content", %r{\Afile:(contents/([\w-][\w.-]{0,99}))\z}
  MOST = 16.megabytes

  class << self
    # Returns that of a group of clients; nil if it needs no file.
    def of(group)
      path, name = group.settings[SETTING].to_s.match(VALUE)&.captures
      new(path, folder.join(name)) if name
    end

    def folder
      Rails.root.join("var/contents")
    end
  end

  def initialize(path, file)
    @path, @file = path, file
  end

  # Returns why it cannot be used, or nil.
  def complaint
    case
    when !@file.file?       then "There is no file #{@file.basename} in var/contents of the Testmaster: put it there"
    when @file.size.zero?   then "The file #{@file.basename} in var/contents is empty"
    when @file.size > MOST  then "The file #{@file.basename} in var/contents has more than 16 MB"
    end
  end

  # Returns its bytes by the path in the folder of a JVM.
  def files
    raise Failure, complaint if complaint

    { @path => @file.binread }
  end
end
