import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildProgram } from './steps/build-program.mjs'
import { fingerprintOfShown } from './steps/fingerprint-of-shown.mjs'
import { installBrowser } from './steps/install/install-browser.mjs'
import { installFonts } from './steps/install/install-fonts.mjs'
import { installPackages } from './steps/install/install-packages.mjs'
import { run } from './steps/run.mjs'
import { sayAndExit } from './steps/say-and-exit.mjs'
import { root } from './steps/workspace.mjs'

// npm run screenshots [-- FOLDER]: every page in both themes and two widths, into docs/screenshots or FOLDER.
const folder = resolve(process.argv[2] ?? join(root, 'docs', 'screenshots'))
try {
  await installPackages()
  await buildProgram()
  await installFonts()
  const browser = await installBrowser()
  const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  const config = join('e2e', 'screenshots', 'playwright.config.ts')
  const env = { SCREENSHOTS_FOLDER: folder, ...(browser ? { CHROMIUM: browser } : {}) }
  const exitCode = await run(process.execPath, [playwright, 'test', '--config', config], { env })
  if (exitCode !== 0) throw new Error('Some pictures could not be taken; the reasons stand above.')
  if (process.argv[2] === undefined) {
    // a test compares this with the current state
    writeFileSync(
      join(root, 'docs', 'pictures.json'),
      `${JSON.stringify({ shown: fingerprintOfShown() }, null, 2)}\n`,
    )
  }
  process.stderr.write(`Pictures are in ${folder}\n`)
} catch (error) {
  sayAndExit(error)
}
