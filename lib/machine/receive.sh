# Unpacks a tar of these scripts, once: an existing folder of that name already contains them.
# usage: receive.sh FOLDER NAME      the scripts are unpacked to FOLDER/machine/NAME; FOLDER must exist
cd "$1" && mkdir -p machine && cd machine || exit 1
part=$2.$$.part
trap 'rm -rf "$part"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$part" && tar -xf - -C "$part" || exit 1
[ -d "$2" ] || mv -T "$part" "$2" 2>/dev/null
[ -d "$2" ]
