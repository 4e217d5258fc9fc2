import { workerData } from 'node:worker_threads'
import { serve } from '../commands/serve.ts'
import { tellFailure } from '../environment/open-warnings.ts'
import type { ServeThreadData } from '../serve/thread.ts'
import { beginToBeat, endProgram, openDistantTerminal } from '../serve/thread.ts'
import { placeInCode } from '../terminal/cli-error.ts'

beginToBeat()
const { flags, positionals }: ServeThreadData = workerData
const terminal = openDistantTerminal()
const end = (error: unknown) => endProgram(tellFailure(error, terminal))
const told = new Set<string>()

// Something failed that nothing waits for: whatever waits is answered by its own promise, so the server goes on. What it
// says may quote a transcript.
process.on('unhandledRejection', (error) => {
  const name = error instanceof Error ? error.name : typeof error
  const place = `${name} at ${placeInCode(error) ?? 'an unknown place'}`
  if (told.has(place)) return
  told.add(place)
  terminal.note(`Something failed in the background (${place}); the dashboard goes on without it.`)
})
// Here code was left in the middle: nobody knows what state it is in.
process.on('uncaughtException', end)

// Not awaited here: a build with a module that waits is cut into more and other files.
serve({ flags, positionals, terminal }).then(() => endProgram(0), end)
