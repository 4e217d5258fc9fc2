import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { PredictedHome } from './predicted-home.ts'
import { StandIn } from './stand-in.ts'

const PROGRAM = fileURLToPath(new URL('./stand-in-process.ts', import.meta.url))

export interface WrittenHome {
  predicted: PredictedHome
  steps: number
  /** How often its process was killed during a write. */
  deaths: number
}

interface WritingOptions {
  seed: number
  /** Share of steps in which it dies. */
  tearShare: number
  pauseMs: number
  /** Aborted if the caller fails before ending it. */
  signal?: AbortSignal
}

/** Runs the stand-in in a separate process, and starts another one whenever it dies. Ends on request. */
export function startWriting(home: string, { seed, tearShare, pauseMs, signal }: WritingOptions) {
  const known = new StandIn(seed, tearShare)
  const predicted = new PredictedHome()
  let steps = 0
  let deaths = 0
  let isOver = false
  let child: ReturnType<typeof startProcess> | null = null

  /** Advances the prediction to the process's step. */
  const followTo = (until: number): void => {
    for (; steps < until; steps += 1) predicted.add(known.next())
  }
  const followToDeath = (): void => {
    for (let isTorn = false; !isTorn; steps += 1) {
      const step = known.next()
      predicted.add(step)
      isTorn = step.torn !== null
    }
    deaths += 1
  }
  const work = async (): Promise<WrittenHome> => {
    while (!isOver) {
      child = startProcess([home, seed, tearShare, steps, pauseMs].map(String))
      const [output, complaints, [code, signal]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      if (signal === 'SIGKILL') followToDeath()
      else if (code === 0) followTo(Number(output))
      // Ended before it started writing.
      else if (signal === 'SIGTERM') continue
      else throw new Error(`The stand-in of the CLI ended with ${code ?? signal}: ${complaints}`)
    }
    return { predicted, steps, deaths }
  }
  const finish = () => {
    isOver = true
    child?.kill('SIGTERM')
  }
  signal?.addEventListener('abort', finish)
  process.prependOnceListener('exit', finish)
  const finished = work().finally(() => process.off('exit', finish))
  // The caller of `end` gets the error.
  finished.catch(() => {})
  return {
    /** Ends after the current step, and resolves to everything that was written. */
    end: (): Promise<WrittenHome> => {
      finish()
      return finished
    },
  }
}

function startProcess(args: string[]) {
  return spawn(process.execPath, ['--import', 'tsx', PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
