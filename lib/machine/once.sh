# Runs a command of the system under test, with the password of the database in its environment and the rest of standard
# input. The command of a killed worker may still run: this waits for it, and does not repeat it.
# usage: once.sh FOLDER MARK VARIABLE COMMAND...      VARIABLE: contains the password for the command
IFS= read -r password || exit 1
export "$3=$password"
cd "$1" && exec 9>>".$2" && flock 9 || exit 1
[ ! -s ".$2" ] || exit 0
mark=.$2
shift 3
"$@" && echo made >"$mark"
