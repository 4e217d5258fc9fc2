import { defineConfig } from 'vitest/config'
import config from '../../vitest.config.ts'
import { applyMutation } from './apply-mutation.ts'

// As all tests run, but with at most one rule taken out of the code.
const mutation = process.env.MUTATION ? JSON.parse(process.env.MUTATION) : null
const startsProgram = mutation === null || mutation.test.file.startsWith('apps/')

export default defineConfig({
  ...config,
  plugins: mutation === null ? [] : [applyMutation(mutation)],
  test: { ...config.test, globalSetup: startsProgram ? ['scripts/mutations/build-mutated-program.ts'] : [] },
})
