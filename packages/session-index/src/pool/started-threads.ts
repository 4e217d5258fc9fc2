import { availableParallelism } from 'node:os'
import { type ResourceLimits, Worker } from 'node:worker_threads'

export interface ThreadProgram {
  workerUrl: URL
  workerExecArgv: string[]
  /** Memory limits of the thread; default: V8's. */
  resourceLimits?: ResourceLimits
}

/** A third of V8's default: measured, this made building no slower and a thread some 20 MB smaller. */
const YOUNG_GENERATION_MB = 16
/** The smaller the heap limit, the sooner V8 collects: with a limit of 4 GB, there is three times as much garbage as live data. */
const OLD_GENERATION_MB = 1_536
const MAX_DEFAULT_SHARDS = 4

/** Bytes of bytecode executed between two checks for hot code; V8's default is 66 KB. */
const INTERRUPT_BUDGET = 540_000
/**
 * Approximate bytes of a function of SQLite's WebAssembly executed before it is optimized; V8's default is 1.8 MB. The function that runs
 * statements is so long that it would be optimized after some hundred steps, in a third of a second, for a command that ends sooner.
 */
const TIERING_BUDGET = 1_000_000_000

/** Each with the listener that removes it when it ends. */
const waiting = new Map<Worker, () => unknown>()

/** Default number of shards. */
export function defaultShards(): number {
  return Math.min(availableParallelism(), MAX_DEFAULT_SHARDS)
}

/**
 * Starts the threads of an index before its location is known: they load their program meanwhile, and the next
 * `openSessionIndex` takes them.
 */
export function startThreads(workerUrl: URL): void {
  for (let count = defaultShards(); count > 0; count--) {
    const worker = newThread({ workerUrl, workerExecArgv: [] })
    // One that fails is restarted when it is needed, and fails there.
    const forget = () => waiting.delete(worker)
    worker.on('error', forget).on('exit', forget)
    waiting.set(worker, forget)
  }
}

/** A thread that was started before, else a new one. @throws if no thread can be started */
export function takeThread(program: ThreadProgram): Worker {
  const [started] = waiting
  if (started === undefined) return newThread(program)
  const [worker, forget] = started
  worker.off('error', forget).off('exit', forget)
  waiting.delete(worker)
  return worker
}

/** For when no more are needed. */
export function endWaitingThreads(): void {
  for (const worker of waiting.keys()) void worker.terminate()
  waiting.clear()
}

function newThread({ workerUrl, workerExecArgv, resourceLimits }: ThreadProgram): Worker {
  compileLater()
  return new Worker(workerUrl, {
    execArgv: workerExecArgv,
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      maxOldGenerationSizeMb: OLD_GENERATION_MB,
      ...resourceLimits,
    },
  })
}

/**
 * Makes V8 optimize code that runs long instead of code that runs briefly: reading sessions is much code that differs from file to file,
 * and each thread compiles its own. Measured while indexing 1 GB: compiling took 6 s of 25 s of processor time; now it takes 3.7, and
 * nothing else takes longer. From Node 22 on, V8 has a mid-tier compiler and needs no setting, and SQLite is Node's own.
 */
function compileLater(): void {
  if (!process.versions.v8.startsWith('11.')) return
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`)
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
}
