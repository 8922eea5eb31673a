#!/usr/bin/env bash
# One file that runs on most Linux desktops: the stand-alone program of `make package`, its desktop entry and icon in
# a folder that appimagetool packs. UNTRIED: appimagetool is in none of the registries that we use; everything up to
# its call is tried by tests/ship.
#   build.sh [--folder-only]
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
id=org.traceinspector.traceinspector
program="$root/dist/trace-inspector"
folder="$root/dist/trace-inspector.AppDir"

if [ ! -x "$program/trace-inspector" ]; then
  echo "There is no built program. Build it first: make package" >&2
  exit 2
fi
rm -rf "$folder"
mkdir -p "$folder/usr/share/icons/hicolor/scalable/apps"
cp -a "$program" "$folder/usr/lib"
cp -a "$root/packaging/share/." "$folder/usr/share/"
cp "$root/resources/desktop/app.svg" "$folder/usr/share/icons/hicolor/scalable/apps/$id.svg"
# What appimagetool and desktops look for stands at the top.
cp "$folder/usr/share/applications/$id.desktop" "$root/resources/desktop/app.svg" "$folder/"
mv "$folder/app.svg" "$folder/$id.svg"
ln -s "$id.svg" "$folder/.DirIcon"
cat > "$folder/AppRun" <<'RUN'
#!/bin/sh
exec "$(dirname "$(readlink -f "$0")")/usr/lib/trace-inspector" "$@"
RUN
chmod 755 "$folder/AppRun"
if [ "${1:-}" = --folder-only ]; then exit 0; fi

version="$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$root/trace_inspector/version.py")"
cd "$root/dist"
ARCH="$(uname -m)" VERSION="$version" appimagetool --no-appstream "$folder" "trace-inspector-$version-$(uname -m).AppImage"
