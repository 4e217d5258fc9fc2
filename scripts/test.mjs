import { runPrepared } from './steps/run-prepared.mjs'

// npm test: installs all that the tests need, runs every one of them, and ends with "N passed, N failed".
// After the installs everything runs where there is no network but loopback, as far as this system lets us: whatever asks another
// machine fails.
//   --offline     ends where that is not possible
//   --online      runs beside the network
const { values } = parseArgs({
  options: {
    offline: { type: 'boolean', default: false },
    online: { type: 'boolean', default: false },
  },
})
const unitReport = join(stampFolder, 'unit-tests.json')
const browserReport = join(stampFolder, 'browser-tests.json')
const results = []
try {
  await installPackages()
  await installTools()
  const browser = await installBrowser()
  if (!values.online && mayGoOffline())
    process.exit(await runOffline(process.execPath, [fileURLToPath(import.meta.url), '--online']))
  results.push(...(await runChecks()))
  results.push(
    await step(
      'build',
      (onOutput) =>
        build().then(
          () => 0,
          (error) => say(error, onOutput),
        ),
      countExit,
    ),
  )
  results.push(await unitTests(browser))
  results.push(await step('mutations', mutations, countExit))
  // by itself: what the program does in time cannot be told on a machine that is busy with something else
  results.push(await step('faults', faults, countExit))
  results.push(await browserTests(browser))
} catch (error) {
  sayAndExit(error)
}
tellResults(results)

/** Says so where it may not. */
function mayGoOffline() {
  if (canRunOffline()) return true
  const why = 'a network of its own needs Linux, ip, and the right to have one (unshare -n).'
  if (values.offline) throw new Error(`--offline: ${why}`)
  process.stderr.write(`The tests run beside the network: ${why}\n`)
  return false
}

async function build() {
  await buildProgram({ always: true })
  await buildLibrary()
}

/** The components of the page among them, which are drawn in that browser. */
function unitTests(browser) {
  rmSync(unitReport, { force: true })
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`]
  return step(
    'unit tests',
    () => runTool('vitest/vitest.mjs', args, browserOf(browser)),
    () => countUnitTests(unitReport),
  )
}

/** Ten rules at random lose their code, and the test of each has to notice. MUTATION_SEED=4711 picks the same again. */
function mutations(onOutput) {
  return run(process.execPath, [join(root, 'scripts', 'mutations.mjs'), '--sample', '10'], { onOutput })
}

/** A run or two of each part of the fault kit; with more time and other seeds: npm run faults. */
function faults(onOutput) {
  return run(process.execPath, ['--import', 'tsx', join(root, 'faults', 'main.ts'), '--bounded'], {
    onOutput,
  })
}

function browserTests(browser) {
  rmSync(browserReport, { force: true })
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport, ...browserOf(browser) }
  const args = ['test', '--reporter=list,json']
  return step(
    'browser tests',
    () => runTool('@playwright/test/cli.js', args, env),
    () => countBrowserTests(browserReport),
  )
}

function browserOf(browser) {
  return browser ? { CHROMIUM: browser } : {}
}

function say(error, onOutput) {
  process.stderr.write(`${error.message}\n`)
  onOutput(error.message)
  return 1
}
