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
  /** How often its process was killed in the midst of a write. */
  deaths: number
}

interface WritingOptions {
  seed: number
  /** Share of steps in which it dies. */
  tearShare: number
  pauseMs: number
  /** Where whoever started it breaks off before it has told it to end. */
  signal?: AbortSignal
}

/** The stand-in at work in its own process; whenever it dies another one goes on. Ends when it is told to. */
export function startWriting(home: string, { seed, tearShare, pauseMs, signal }: WritingOptions) {
  const known = new StandIn(seed, tearShare)
  const predicted = new PredictedHome()
  let steps = 0
  let deaths = 0
  let isOver = false
  let child: ReturnType<typeof startProcess> | null = null

  /** Moves what is known to where the process is. */
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
      // Told to end before it heard anything: it has not written yet.
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
  // Whoever has it end hears of it.
  finished.catch(() => {})
  return {
    /** Ends after the step that is under way, and tells all that was written. */
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
