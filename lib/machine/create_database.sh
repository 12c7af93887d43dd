# Makes the database of a run by the run's own jar. The password comes by standard input.
# Whoever asked before may have been killed while this goes on without them: it is waited for, and done once.
# usage: create_database.sh FOLDER JAR URL NAME USER [OPTION OF dbscript]...
IFS= read -r MLMQ_DB_PASSWORD || exit 1
export MLMQ_DB_PASSWORD
cd "$1" && exec 9>>.database && flock 9 || exit 1
[ ! -s .database ] || exit 0
jar=$2 url=$3 name=$4 user=$5
shift 5
java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -jar "$jar" \
  dbscript -url "$url" -db "$name" -user "$user" "$@" && echo made >.database
