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

/** A mutation of the page, for `npm run mutations -- --page`. */
const mutation = process.env.MUTATION

const inScripts = (path: string) => fileURLToPath(new URL(`./scripts/${path}`, import.meta.url))
const START_PROGRAM = inScripts('page-tests/start-program.ts')
const CLEAN_PAGE = fileURLToPath(new URL('./apps/web/test/clean-page.ts', import.meta.url))
const SET_UP_RUN = inScripts('gate/set-up-run.ts')
const FIXED_SEED = inScripts('gate/fixed-seed.ts')

/** Generous: long limits cost nothing when tests pass, and short ones fail on a busy machine without a defect. */
const LIMITS = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 30_000 } } }
/** Seed for property inputs. */
const SEED = Number(process.env.TEST_SEED ?? 20261128)

export default defineConfig({
  test: {
    sequence: { sequencer: ByPath },
    projects: [
      {
        // `gemini-sessions` resolves to its sources here; its exports point to the build.
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
          // Vitest leaves one core unused by default: half of these tests wait for a program they started.
          maxWorkers: availableParallelism(),
          // Files of a worker share modules: reloading them took more than half of the time.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Components in a real browser: docs/decisions/gate.md
        extends: './apps/web/vite.config.ts',
        root: './apps/web',
        plugins: [askProgram(), ...(mutation ? [applyMutation(JSON.parse(mutation))] : [])],
        // dependencies discovered during a run would reload the page with a second copy of React
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
          // After all others: on a busy machine the page renders too late.
          sequence: { groupOrder: 1 },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            commands: diskCommands,
            provider: playwright({
              launchOptions: { executablePath: findBrowser(), args: BROWSER_ARGUMENTS },
              contextOptions: { locale: 'en-GB' },
              // names what it waits for, unlike a test timeout
              actionTimeout: 60_000,
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
