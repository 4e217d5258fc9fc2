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
const reported = new Set<string>()

// An error that nobody awaits: callers get their errors from their own promises, so the server continues. The message may quote a
// transcript.
process.on('unhandledRejection', (error) => {
  const name = error instanceof Error ? error.name : typeof error
  const place = `${name} at ${placeInCode(error) ?? 'an unknown place'}`
  if (reported.has(place)) return
  reported.add(place)
  terminal.note(`A background task failed (${place}). The dashboard is still running.`)
})
// Code was interrupted at an unknown point, so the state can no longer be trusted.
process.on('uncaughtException', end)

// Not awaited: a module with top-level await makes the build split its output into more and different files.
serve({ flags, positionals, terminal }).then(() => endProgram(0), end)
