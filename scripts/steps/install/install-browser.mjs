import { lookup } from 'node:dns/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findBrowser } from '../find-browser.mjs'
import { run } from '../run.mjs'
import { root } from '../workspace.mjs'
import { runAsRoot } from './run-as-root.mjs'

const DOWNLOADS = 'cdn.playwright.dev'

/**
 * Ensures that a browser is available: an installed one, else Playwright's download, else Debian's package. Resolves to its path, or '' for
 * Playwright's own. Throws a sentence for the user.
 */
export async function installBrowser() {
  const installed = findBrowser()
  if (installed) return installed
  if (await doesPlaywrightLaunch()) return ''
  if (await isReachable(DOWNLOADS)) {
    process.stderr.write('Downloading a browser for the tests ...\n')
    const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
    const exitCode = await run(process.execPath, [playwright, 'install', 'chromium'])
    if (exitCode === 0 && (await doesPlaywrightLaunch())) return ''
  }
  // mirrors occasionally fail
  for (let attempt = 0; attempt < 2; attempt += 1) {
    process.stderr.write('Installing the chromium package of the system ...\n')
    await runAsRoot('apt-get', ['update'])
    await runAsRoot('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
    const packaged = findBrowser()
    if (packaged) return packaged
  }
  throw new Error(
    'No browser for the tests: install Chromium, Chrome or Edge, or name one in the CHROMIUM variable.',
  )
}

/** If unreachable, Playwright would retry five times. */
function isReachable(host) {
  return lookup(host).then(
    () => true,
    () => false,
  )
}

/** Also false if system libraries are missing for the download. */
async function doesPlaywrightLaunch() {
  const entry = join(root, 'node_modules', '@playwright', 'test', 'index.mjs')
  const { chromium } = await import(pathToFileURL(entry).href)
  try {
    const browser = await chromium.launch()
    await browser.close()
    return true
  } catch {
    return false
  }
}
