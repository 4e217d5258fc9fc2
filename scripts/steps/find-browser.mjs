import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const MAC_APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]
const WINDOWS_PROGRAMS = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe']

/** Path of an installed, working Chromium-based browser: $CHROMIUM first. `undefined` if there is none. */
export function findBrowser() {
  const named = process.env.CHROMIUM
  if (named) return named
  return candidates().find((path) => existsSync(path) && doesRun(path))
}

function candidates() {
  if (process.platform === 'darwin') return MAC_APPS
  if (process.platform === 'win32') {
    const folders = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    return folders.filter(Boolean).flatMap((folder) => WINDOWS_PROGRAMS.map((path) => join(folder, path)))
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
}

/** Ubuntu's chromium-browser is a script that only asks to install a snap. On Windows `--version` opens a window. */
function doesRun(path) {
  if (process.platform === 'win32') return true
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}
