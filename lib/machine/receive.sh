# Unpacks a tar of these scripts, once: an existing folder of that name already contains them.
# usage: receive.sh FOLDER NAME      the scripts are unpacked to FOLDER/machine/NAME; FOLDER must exist
cd "$1" && mkdir -p machine && cd machine || exit 1
part=$2.$$.part
mkdir "$part" && tar -xf - -C "$part" || exit 1
if [ -d "$2" ] || ! mv -T "$part" "$2" 2>/dev/null; then rm -rf "$part"; fi
[ -d "$2" ]
