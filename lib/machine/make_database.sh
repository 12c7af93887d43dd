# Makes the database of a run by a command of the system under test. Its password comes by standard input.
# Whoever asked before may have been killed while this goes on without them: it is waited for, and done once.
# usage: make_database.sh FOLDER VARIABLE COMMAND...      VARIABLE: in it the command finds the password
IFS= read -r password || exit 1
export "$2=$password"
cd "$1" && exec 9>>.database && flock 9 || exit 1
[ ! -s .database ] || exit 0
shift 2
"$@" && echo made >.database
