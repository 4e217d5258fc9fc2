import { defineConfig } from 'vitest/config'
import { defineCacheFormat } from './scripts/cache-format.ts'

export default defineConfig({
  // `gemini-sessions` means its sources here; its exports name what is built.
  resolve: { tsconfigPaths: true },
  define: defineCacheFormat(),
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'fixtures/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['apps/gemini-dash/test/build-program.ts'],
    testTimeout: 30_000,
    // Files of one worker share their modules: loading them anew took more than half of the time.
    isolate: false,
  },
})
