import { readFileSync } from 'node:fs'
import { defineConfig, type UserWorkspaceConfig } from 'vitest/config'
import config from '../../vitest.config.ts'
import { applyMutation } from './apply-mutation.ts'

// The configuration of all unit tests, with at most one mutation.
const mutation = process.env.MUTATION ? JSON.parse(process.env.MUTATION) : null
/** Page tests in Node need only components, and many server tests only one function. */
const startsProgram =
  mutation === null || /open-test-server|run-program|'program'/.test(readFileSync(mutation.test.file, 'utf8'))

// options beside a list of projects do not apply to the projects
const unit = config.test?.projects?.[0] as UserWorkspaceConfig

export default defineConfig({
  ...unit,
  plugins: mutation === null ? [] : [applyMutation(mutation)],
  test: { ...unit.test, globalSetup: startsProgram ? ['scripts/mutations/build-mutated-program.ts'] : [] },
})
