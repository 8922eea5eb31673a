; Installer for Windows around the stand-alone program of `python packaging/build.py`, which must be run on Windows.
; UNTRIED on Windows: tests/ship only compiles this file with makensis, around a folder that stands in for the program.
;   makensis -DVERSION=0.9.0 packaging\windows\installer.nsi
Unicode true
ManifestDPIAware true
!include "MUI2.nsh"

; Paths are those from this file's folder.
!ifndef PROGRAM
  !define PROGRAM "../../dist/trace-inspector"
!endif
!ifndef TARGET
  !define TARGET "../../dist/trace-inspector-${VERSION}-windows.exe"
!endif
!define NAME "Trace Inspector"
!define ID "org.traceinspector.traceinspector"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\${ID}"

Name "${NAME} ${VERSION}"
OutFile "${TARGET}"
; For the person who installs it: nobody is asked for the rights of an administrator.
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "Software\${ID}" "Folder"
SetCompressor /SOLID lzma

!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_LICENSE "../../LICENSE"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

Section "${NAME}"
  ; What an earlier version left there would be imported by this one.
  RMDir /r "$INSTDIR\_internal"
  SetOutPath "$INSTDIR"
  File /r "${PROGRAM}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\trace-inspector.exe"
  WriteRegStr HKCU "Software\${ID}" "Folder" "$INSTDIR"
  ; Offered under "Open with": all JSON belongs to nobody, and Windows knows no longer endings than ".json".
  WriteRegStr HKCU "Software\Classes\Applications\trace-inspector.exe\shell\open\command" "" '"$INSTDIR\trace-inspector.exe" "%1"'
  WriteRegStr HKCU "Software\Classes\Applications\trace-inspector.exe" "FriendlyAppName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\trace-inspector.exe"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
SectionEnd

Section "Uninstall"
  ; Only what this installer wrote: somebody may have chosen a folder with files of his own.
  RMDir /r "$INSTDIR\_internal"
  Delete "$INSTDIR\trace-inspector.exe"
  Delete "$INSTDIR\trace-inspector-console.exe"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\${NAME}.lnk"
  DeleteRegKey HKCU "Software\Classes\Applications\trace-inspector.exe"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\${ID}"
  MessageBox MB_OK|MB_ICONINFORMATION "Runs, labels, edits that were not saved and settings stay where they are: %TRACE_INSPECTOR_DATA%, else %LOCALAPPDATA%\Trace Inspector." /SD IDOK
SectionEnd
