#!/usr/bin/env bash
# An application for macOS, signed, notarised and in a disk image. UNTRIED: we have no Mac. tests/ship reads the
# script with shellcheck and the Info.plist with a reader of property lists; the rest is what Apple's manuals say.
#   IDENTITY="Developer ID Application: …" PROFILE="keychain profile of notarytool" build.sh
# Without IDENTITY it is signed for this Mac alone, and not notarised.
set -euo pipefail
root="$(cd "$(dirname "$0")/../.." && pwd)"
cd "$root"
python="${PYTHON:-.venv/bin/python}"
version="$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' trace_inspector/version.py)"
application="dist/Trace Inspector.app"
image="dist/trace-inspector-$version-$(uname -m).dmg"

# The icon in the sizes of macOS, from the one drawing there is.
icons=build/app.iconset
rm -rf "$icons" && mkdir -p "$icons"
for size in 16 32 128 256 512; do
  sips -s format png -z "$size" "$size" resources/desktop/app.svg --out "$icons/icon_${size}x$size.png"
  sips -s format png -z "$((size * 2))" "$((size * 2))" resources/desktop/app.svg --out "$icons/icon_${size}x$size@2x.png"
done
iconutil --convert icns --output build/app.icns "$icons"

"$python" packaging/build.py
codesign --force --deep --options runtime --timestamp --sign "${IDENTITY:--}" "$application"
codesign --verify --deep --strict "$application"
rm -f "$image"
hdiutil create -volname "Trace Inspector" -srcfolder "$application" -format UDZO "$image"
if [ -n "${IDENTITY:-}" ]; then
  xcrun notarytool submit "$image" --keychain-profile "$PROFILE" --wait
  xcrun stapler staple "$image"
fi
