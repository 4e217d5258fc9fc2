import fc from 'fast-check'
import { inject } from 'vitest'

// All property tests use the same inputs at each run. TEST_SEED=7 selects others.
fc.configureGlobal({ seed: inject('seed') })

declare module 'vitest' {
  interface ProvidedContext {
    seed: number
  }
}
