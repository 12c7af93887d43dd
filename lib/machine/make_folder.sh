# Creates the folder of a run on a machine that others may use as well, and prints its full path. The folder records its
# owner.
# usage: make_folder.sh FOLDER OWNER
mkdir -p "$1" && cd "$1" || exit 1
if [ -z "$(ls -A)" ]; then echo "$2" >.owner; fi
if [ "$(cat .owner 2>&1)" != "$2" ]; then
  echo "$(pwd -P) belongs to another Testmaster" >&2
  exit 1
fi
pwd -P
