# Runs lib/machine/*.sh on a machine, from the run's folder there.
module Machine::Scripted
  def script(name, *arguments, **options)
    shell.script name, directory, *arguments, below: directory, **options
  end

  def script!(name, *arguments, **options)
    shell.script! name, directory, *arguments, below: directory, **options
  end
end
