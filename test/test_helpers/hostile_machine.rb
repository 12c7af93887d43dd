# A machine on which the programs that a run brings were replaced.
module HostileMachine
  # Bytes that a database rejects and a terminal must not show
  RUBBISH = "\0\xff\e[2J\u202e"

  # @return a shell command that prints the bytes
  def says(bytes)
    "printf '#{bytes.b.gsub(/[^\w ]/n) { |byte| format('\\%03o', byte.ord) }}'\n"
  end

  # text: a shell script
  def replace_script(machine, name, text)
    folder = Pathname(Machine::Shell::Scripts.home(machine.directory))
    unless folder.exist?
      folder.mkpath
      Machine::Shell::Scripts.texts.each { |script, known| folder.join("#{script}.sh").write known }
    end
    # The file is replaced atomically, as a shell may be reading the old one.
    folder.join("#{name}.new").write text
    folder.join("#{name}.new").rename folder.join("#{name}.sh")
  end
end
