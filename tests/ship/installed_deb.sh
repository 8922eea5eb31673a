#!/usr/bin/env bash
# Installs a package on a machine, starts it there, and takes it away. As root:
#   unshare --mount installed_deb.sh PACKAGE PYTHON SMOKE [FOLDER]
# The machine is a Debian of its own in FOLDER, into which apt fetches what the package asks for; without FOLDER it is
# this one as it would be with the package: all of that is written over the real files, in memory, and gone at the end.
# Ends with 77 where this machine lets nobody do that.
set -euo pipefail
package="$1" python="$2" smoke="$3" own="${4:-}"

refuse() { echo "$*"; exit 77; }
top="$(mktemp -d)"
mount -t tmpfs tmpfs "$top" || refuse "nothing may be mounted here"
mkdir "$top/changed" "$top/work" "$top/machine"
if [ -n "$own" ]; then
  mount --bind "$own" "$top/machine"
else
  mount -t overlay overlay -o "lowerdir=/,upperdir=$top/changed,workdir=$top/work" "$top/machine" ||
    refuse "no file system can be laid over this one"
fi
mount --rbind /dev "$top/machine/dev"
mount --bind /proc "$top/machine/proc"
mount --bind /tmp "$top/machine/tmp"
inside() { chroot "$top/machine" env DEBIAN_FRONTEND=noninteractive "$@"; }

if [ -n "$own" ]; then
  cp "$package" "$own/package.deb"
  inside apt-get -qq update
  inside apt-get -qq install -y --no-install-recommends /package.deb
else
  inside dpkg --install "$package"
fi
printf '#!/bin/sh\nexec chroot "%s" /usr/bin/trace-inspector "$@"\n' "$top/machine" > "$top/trace-inspector"
chmod +x "$top/trace-inspector"
"$python" "$smoke" "$top/trace-inspector" --extra judges

inside dpkg --remove trace-inspector
for left in opt/trace-inspector usr/bin/trace-inspector; do
  if [ -e "$top/machine/$left" ]; then echo "left behind: $left"; exit 1; fi
done
