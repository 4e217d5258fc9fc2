import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { defineCacheFormat } from './scripts/cache-format.ts'
import { defineByteScanner } from './scripts/define-byte-scanner.ts'
import { ByPath } from './scripts/gate/by-path.ts'
import { applyMutation } from './scripts/mutations/apply-mutation.ts'
import { askProgram } from './scripts/page-tests/ask-program.ts'
import { diskCommands } from './scripts/page-tests/disk-commands.ts'
import { BROWSER_ARGUMENTS } from './scripts/steps/browser-arguments.ts'
import { findBrowser } from './scripts/steps/find-browser.mjs'

/** One change to the page, for `npm run mutations -- --page`. */
const mutation = process.env.MUTATION

const inScripts = (path: string) => fileURLToPath(new URL(`./scripts/${path}`, import.meta.url))
const START_PROGRAM = inScripts('page-tests/start-program.ts')
const CLEAN_PAGE = fileURLToPath(new URL('./apps/web/test/clean-page.ts', import.meta.url))
const SET_UP_RUN = inScripts('gate/set-up-run.ts')
const FIXED_SEED = inScripts('gate/fixed-seed.ts')

/** Patient: a limit costs nothing where tests pass, and on a busy machine a short one says that something broke where nothing did. */
const LIMITS = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } }
/** Draws the inputs of properties. */
const SEED = Number(process.env.TEST_SEED ?? 20261128)

export default defineConfig({
  test: {
    sequence: { sequencer: ByPath },
    projects: [
      {
        // `gemini-sessions` means its sources here; its exports name what is built.
        resolve: { tsconfigPaths: true },
        define: { ...defineCacheFormat(), ...defineByteScanner() },
        test: {
          name: 'unit',
          include: [
            'packages/**/*.test.ts',
            'apps/**/*.test.ts',
            'fixtures/**/*.test.ts',
            'faults/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          globalSetup: ['scripts/gate/set-up-run.ts', 'apps/gemini-dash/test/build-program.ts'],
          setupFiles: ['scripts/gate/set-up-file.ts', 'scripts/gate/fixed-seed.ts'],
          provide: { seed: SEED },
          ...LIMITS,
          includeTaskLocation: true,
          // Vitest leaves one core to others: half of these tests wait for a program that they started.
          maxWorkers: availableParallelism(),
          // Files of one worker share their modules: loading them anew took more than half of the time.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Components in a real browser: docs/decisions/component-tests.md
        extends: './apps/web/vite.config.ts',
        root: './apps/web',
        plugins: [askProgram(), ...(mutation ? [applyMutation(JSON.parse(mutation))] : [])],
        // found out during a run, each new dependency would load the page anew with another copy of React
        optimizeDeps: {
          entries: ['src/main.tsx', 'src/content/highlight-worker.ts', 'test/**/*.test.tsx'],
          include: ['fast-check', 'vitest-browser-react'],
          exclude: ['@shikijs/langs'],
        },
        test: {
          name: 'page',
          include: ['test/**/*.test.tsx'],
          globalSetup: [SET_UP_RUN, START_PROGRAM],
          setupFiles: [FIXED_SEED, CLEAN_PAGE],
          provide: { seed: SEED },
          ...LIMITS,
          includeTaskLocation: true,
          isolate: false,
          fileParallelism: false,
          // By itself after all others: what a person sees comes too late on a busy machine.
          sequence: { groupOrder: 1 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: diskCommands,
            provider: playwright({
              launchOptions: { executablePath: findBrowser(), args: BROWSER_ARGUMENTS },
              contextOptions: { locale: 'en-GB' },
              // says what it waits for, which a test that is out of time does not
              actionTimeout: 60_000,
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
