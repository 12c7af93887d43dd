# A machine on which somebody has replaced the programs that a run brings: they are called all the same.
module HostileMachine
  # Text that no database takes and no terminal should show
  RUBBISH = "\0\xff\e[2J\u202e"

  # Output as a program of the shell writes it
  def says(bytes)
    "printf '#{bytes.b.gsub(/[^\w ]/n) { |byte| format('\\%03o', byte.ord) }}'\n"
  end

  # text: of the shell
  def replace_script(machine, name, text)
    folder = Pathname(Machine::Shell::Scripts.home(machine.directory))
    unless folder.exist?
      folder.mkpath
      Machine::Shell::Scripts.texts.each { |script, known| folder.join("#{script}.sh").write known }
    end
    # Another file takes its place at once: a shell may be reading the one before.
    folder.join("#{name}.new").write text
    folder.join("#{name}.new").rename folder.join("#{name}.sh")
  end
end
