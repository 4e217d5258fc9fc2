import { readFileSync } from 'node:fs'
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config'
import config from '../../vitest.config.ts'
import { applyMutation } from './apply-mutation.ts'

// As all unit tests run, but with at most one rule taken out of the code.
const mutation = process.env.MUTATION ? JSON.parse(process.env.MUTATION) : null
/** Tests of the page in Node ask for components alone, and many of the server for one function. */
const startsProgram =
  mutation === null || /open-test-server|run-program|'program'/.test(readFileSync(mutation.test.file, 'utf8'))

// what stands beside a list of projects holds for none of them
const unit = config.test?.projects?.[0] as UserWorkspaceConfig

export default defineConfig({
  ...unit,
  plugins: mutation === null ? [] : [applyMutation(mutation)],
  test: { ...unit.test, globalSetup: startsProgram ? ['scripts/mutations/build-mutated-program.ts'] : [] },
})
