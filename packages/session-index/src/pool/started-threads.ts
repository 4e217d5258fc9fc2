import { availableParallelism } from 'node:os'
import { type ResourceLimits, Worker } from 'node:worker_threads'

export interface ThreadProgram {
  workerUrl: URL
  workerExecArgv: string[]
  /** How much memory the thread may take; V8 decides where it is left out. */
  resourceLimits?: ResourceLimits
}

/** A third of what V8 takes by itself: measured, that made building no slower and a thread some 20 MB smaller. */
const YOUNG_GENERATION_MB = 16
/** The less a heap may hold, the sooner V8 looks for what nobody needs: where it may hold 4 GB, garbage is as much again three times. */
const OLD_GENERATION_MB = 1_536
const MAX_DEFAULT_SHARDS = 4

/** Bytes of bytecode that run between two looks at what is hot; V8's own is 66 KB. */
const INTERRUPT_BUDGET = 540_000
/** About so many bytes of a function of SQLite's WebAssembly run before it is optimized; V8's own are 1.8 MB. */
const TIERING_BUDGET = 50_000_000

/** Each with what forgets it when it ends. */
const waiting = new Map<Worker, () => unknown>()

/** How many shards a new index has. */
export function defaultShards(): number {
  return Math.min(availableParallelism(), MAX_DEFAULT_SHARDS)
}

/**
 * Starts the threads of an index before it is known where that is: they load their program meanwhile, and the next
 * `openSessionIndex` takes them.
 */
export function startThreads(workerUrl: URL): void {
  for (let count = defaultShards(); count > 0; count--) {
    const worker = newThread({ workerUrl, workerExecArgv: [] })
    // One that fails is started again where it is wanted, and fails there.
    const forget = () => waiting.delete(worker)
    worker.on('error', forget).on('exit', forget)
    waiting.set(worker, forget)
  }
}

/** One that was started before, else a new one. @throws where no thread can be started */
export function takeThread(program: ThreadProgram): Worker {
  const [started] = waiting
  if (started === undefined) return newThread(program)
  const [worker, forget] = started
  worker.off('error', forget).off('exit', forget)
  waiting.delete(worker)
  return worker
}

/** Nobody else wants one. */
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
 * Has V8 optimize what runs long instead of whatever runs a little: reading sessions is much code that differs from file
 * to file, and each thread compiles its own. Measured while indexing 1 GB: compiling took 6 s of processor time, of 25 in
 * all; now it takes 3.7, and nothing else takes longer. From Node 22 on V8 has a compiler between, and needs no word, and
 * SQLite is Node's own.
 */
function compileLater(): void {
  if (!process.versions.v8.startsWith('11.')) return
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`)
  setFlagsFromString(`--wasm-tiering-budget=${TIERING_BUDGET}`)
}
