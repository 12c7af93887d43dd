# Creates the database of a run by a command of the system under test. Standard input contains its password. The command
# of a killed worker may still run: this waits for it, and does not repeat it.
# usage: make_database.sh FOLDER VARIABLE COMMAND...      VARIABLE: contains the password for the command
IFS= read -r password || exit 1
export "$2=$password"
cd "$1" && exec 9>>.database && flock 9 || exit 1
[ ! -s .database ] || exit 0
shift 2
"$@" && echo made >.database
