import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { carryOut } from './disk-operation.ts'
import { cutAt } from './predicted-home.ts'
import { StandIn } from './stand-in.ts'

// The stand-in in a process of its own: HOME SEED TEAR_SHARE FROM PAUSE_MS. Goes on from a step, dies in the midst of a
// write where its script says so, and ends with the number of the next step when it is told to.
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
