import { defineConfig } from 'vitest/config'
import { applyMutation } from './apply-mutation.ts'

// As vitest.config.ts, but without the built program, and with at most one rule taken out of the code.
const mutation = process.env.MUTATION

export default defineConfig({
  plugins: mutation ? [applyMutation(JSON.parse(mutation))] : [],
  test: {
    include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'fixtures/**/*.test.ts', 'scripts/**/*.test.ts'],
    testTimeout: 30_000,
  },
})
