import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type RunningServer, startServer } from '../../apps/gemini-dash/bench/program/running-server.ts'
import { apiPaths, questionPath, type SessionList, sessionPath } from '../../packages/api/src/index.ts'
import { openFolder, readArguments } from '../kit-arguments.ts'
import { writeHome } from '../stand-in/write-home.ts'
import { startWriting } from '../stand-in/writing-process.ts'
import { drawSamples } from './draw-samples.ts'
import { bytesBelow, heapBytes, openFiles, residentBytes } from './process-state.ts'
import { type Sample, summarize } from './summarize.ts'

// npm run soak: the built program under steady use, monitored and plotted.
//   --minutes 30     duration
//   --seed 4711      repeats the same Gemini folder and writes
//   --out FILE       the plot (soak.svg)
//   --collect        collects garbage before each heap measurement, so that only leaks grow
const SAMPLE_MS = 2_000
const STREAMS = 5
/** Like a person at work, not a stress test. */
const STEP_MS = 250

const { options, ...given } = readArguments({
  out: { type: 'string', default: 'soak.svg' },
  collect: { type: 'boolean', default: false },
})
const seed = given.seed ?? 1
const minutes = given.minutes ?? 30
const folder = openFolder('soak')

const home = join(folder, '.gemini')
const threads = join(folder, 'threads')
for (const made of [home, threads]) mkdirSync(made)
writeHome(home, seed)
const server = await startServer({
  executable: process.execPath,
  program: options.program,
  home,
  folder,
  isLoopWatched: true,
  env: {
    NODE_OPTIONS: `--require ${fileURLToPath(new URL('../shims/thread-memory.cjs', import.meta.url))}`,
    MEMORY_FOLDER: threads,
    MEMORY_COLLECTS: String(options.collect),
  },
})
await server.whenReady()
const writing = startWriting(home, { seed: seed + 1, tearShare: 0.001, pauseMs: STEP_MS })
const streams = Array.from({ length: STREAMS }, () => openStream(server.port))
const samples = await takeSamples(server, minutes)
for (const stream of streams) stream.socket.destroy()
const { steps, deaths } = await writing.end()
await server.stop()
writeFileSync(options.out, drawSamples(samples))
process.stdout.write(
  `${steps} steps of the CLI, ${deaths} deaths in the midst of a write, ${STREAMS} streams\n`,
)
process.stdout.write(`${summarize(samples)}${options.out}\n`)

async function takeSamples({ pid, get, watchLoop }: RunningServer, minutes: number): Promise<Sample[]> {
  const taken: Sample[] = []
  const startedAtMs = performance.now()
  while (performance.now() - startedAtMs < minutes * 60_000) {
    const loop = watchLoop()
    await sleep(SAMPLE_MS)
    const askedAtMs = performance.now()
    const { sessions } = await get<SessionList>(questionPath('sessions', { limit: 100 }))
    const key = sessions[taken.length % (sessions.length || 1)]?.key
    // A session may be deleted between the two requests.
    if (key) await get(sessionPath('messages', key)).catch(() => undefined)
    const searchedAtMs = performance.now()
    await get(questionPath('search', { q: 'answer' }))
    taken.push({
      minute: (performance.now() - startedAtMs) / 60_000,
      residentMegabytes: residentBytes(pid) / 1e6,
      heapMegabytes: heapBytes(threads) / 1e6,
      homeMegabytes: bytesBelow(home) / 1e6,
      openFiles: openFiles(pid),
      streams: streams.filter(({ isOpen }) => isOpen()).length,
      loopDelayMs: await loop.stop(),
      pageMs: searchedAtMs - askedAtMs,
      searchMs: performance.now() - searchedAtMs,
    })
  }
  return taken
}

/** Opens an event stream and reads it. */
function openStream(port: number): { socket: Socket; isOpen: () => boolean } {
  let isOpen = false
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.once('data', () => {
    isOpen = true
  })
  socket.on('data', () => undefined)
  socket.on('close', () => {
    isOpen = false
  })
  socket.write(`GET ${apiPaths.events()} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  return { socket, isOpen: () => isOpen }
}
