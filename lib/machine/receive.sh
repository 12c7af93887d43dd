# Takes in a tar of these scripts, once: a folder of that name that is there already has them all.
# usage: receive.sh FOLDER NAME      the scripts come to lie in FOLDER/machine/NAME; FOLDER must be there
cd "$1" && mkdir -p machine && cd machine || exit 1
part=$2.$$.part
mkdir "$part" && tar -xf - -C "$part" || exit 1
if [ -d "$2" ] || ! mv -T "$part" "$2" 2>/dev/null; then rm -rf "$part"; fi
[ -d "$2" ]
