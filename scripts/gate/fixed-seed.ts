import fc from 'fast-check'
import { inject } from 'vitest'

// All properties draw the same inputs at each run. TEST_SEED=7 draws others.
fc.configureGlobal({ seed: inject('seed') })

declare module 'vitest' {
  interface ProvidedContext {
    seed: number
  }
}
