#!/usr/bin/env bash
# Installs a package on this machine as it would be with it, starts it, and takes it away: all of that is written
# over the real files, in memory, and gone at the end. As root: unshare --mount installed_deb.sh PACKAGE PYTHON SMOKE
set -euo pipefail
package="$1" python="$2" smoke="$3"

top="$(mktemp -d)"
mount -t tmpfs tmpfs "$top"
mkdir "$top/changed" "$top/work" "$top/machine"
mount -t overlay overlay -o "lowerdir=/,upperdir=$top/changed,workdir=$top/work" "$top/machine"
mount --rbind /dev "$top/machine/dev"
mount --bind /proc "$top/machine/proc"
mount --bind /tmp "$top/machine/tmp"
inside() { chroot "$top/machine" "$@"; }

inside dpkg --install "$package"
printf '#!/bin/sh\nexec chroot "%s" /usr/bin/trace-inspector "$@"\n' "$top/machine" > "$top/trace-inspector"
chmod +x "$top/trace-inspector"
"$python" "$smoke" "$top/trace-inspector"

inside dpkg --remove trace-inspector
for left in opt/trace-inspector usr/bin/trace-inspector; do
  if [ -e "$top/machine/$left" ]; then echo "left behind: $left"; exit 1; fi
done
