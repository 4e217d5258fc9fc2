import { cpSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { carryOut } from './disk-operation.ts'
import { cutAt, PredictedHome } from './predicted-home.ts'
import { StandIn } from './stand-in.ts'

const REAL_HOME = fileURLToPath(new URL('../../fixtures/homes/0.61.0/.gemini', import.meta.url))
const TEAR_SHARE = 0.02

/** Files written by the real CLI, plus steps of the stand-in, some of them torn. */
export function writeHome(home: string, seed: number, steps = 150): PredictedHome {
  cpSync(REAL_HOME, home, { recursive: true })
  const textPlaceholder = new StandIn(seed, TEAR_SHARE)
  const predicted = new PredictedHome()
  for (let number = 0; number < steps; number += 1) {
    const step = textPlaceholder.next()
    predicted.add(step)
    for (const [place, operation] of step.operations.entries()) {
      const isTorn = step.torn?.operation === place
      const text = 'text' in operation ? operation.text : ''
      carryOut(home, operation, isTorn ? cutAt(Buffer.from(text), step.torn?.share ?? 1) : undefined)
      if (isTorn) break
    }
  }
  return predicted
}
