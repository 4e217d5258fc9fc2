import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { carryOut } from './disk-operation.ts'
import { cutAt } from './predicted-home.ts'
import { StandIn } from './stand-in.ts'

// The stand-in in a separate process: HOME SEED TEAR_SHARE FROM PAUSE_MS. Continues from a step, dies during a write as scripted, and on
// SIGTERM exits with the number of the next step.
const [home = '', seed, tearShare, from, pauseMs] = process.argv.slice(2)
const textPlaceholder = new StandIn(Number(seed), Number(tearShare))
let isOver = false
process.on('SIGTERM', () => {
  isOver = true
})
process.on('disconnect', () => process.exit())

let number = 0
for (; !isOver; number += 1) {
  const { operations, torn } = textPlaceholder.next()
  if (number < Number(from)) continue
  for (const [place, operation] of operations.entries()) {
    if (torn?.operation === place) {
      const text = 'text' in operation ? operation.text : ''
      carryOut(home, operation, cutAt(Buffer.from(text), torn.share))
      process.kill(process.pid, 'SIGKILL')
      await sleep(60_000)
    }
    carryOut(home, operation)
  }
  await sleep(Number(pauseMs))
}
writeSync(1, String(number))
process.exit()
