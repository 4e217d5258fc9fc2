import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeLargeHome } from '../../../fixtures/large/large-home.ts'
import { parseSessionFile, readSessionHead } from '../src/parse/session-file.ts'
import { LARGE_SHAPES, writeLargeFile } from '../test/large/large-shapes.ts'
import type { ReadingFigures } from '../test/large/measure-reading.ts'

// npx tsx packages/gemini-sessions/bench/reading.ts [--json]: how fast session files are read, compared with plain JSON.parse of the same
// files in the same run, and how much memory reading the largest ones takes besides the result.
const RUNS = 7
const MIX_BYTES = 150_000_000
const BYTES = { file: 200_000_000, line: 100_000_000, text: 3_500_000 }
const HEAD_BYTES = 4_096
const MEASURE = fileURLToPath(new URL('../test/large/measure-reading.ts', import.meta.url))

interface Rate {
  name: string
  medianMegabytesPerSecond: number
  slowest: number
  fastest: number
}

const folder = mkdtempSync(join(tmpdir(), 'gemini-sessions-bench-'))
try {
  const rates = measureRates()
  const memory = LARGE_SHAPES.map(measureShape)
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ rates, memory })}\n`)
  else print(rates, memory)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function measureRates(): Rate[] {
  writeLargeHome({ sessions: 150, bytes: MIX_BYTES, seed: 1, out: folder })
  const paths = readdirSync(join(folder, 'home'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith('session-'))
    .map((entry) => join(entry.parentPath, entry.name))
  const bytes = paths.reduce((sum, path) => sum + readFileSync(path).length, 0)
  const works: [string, (path: string) => void][] = [
    ['plain JSON.parse', parsePlain],
    ['parseSessionFile', (path) => parseSessionFile({ path, bytes: readFileSync(path) })],
    ['readSessionHead', (path) => readSessionHead(readFileSync(path).subarray(0, HEAD_BYTES))],
  ]
  const times = works.map((): number[] => [])
  // The first round is a warm-up. In turns, so that a busy moment of the machine affects all of them.
  for (let round = 0; round <= RUNS; round += 1) {
    for (const [index, [, work]] of works.entries()) {
      const startedAt = performance.now()
      for (const path of paths) work(path)
      if (round > 0) times[index]?.push(bytes / 1_000 / (performance.now() - startedAt))
    }
  }
  return works.map(([name], index) => toRate(name, times[index] ?? []))
}

function parsePlain(path: string): void {
  const text = readFileSync(path, 'utf8')
  if (path.endsWith('.json')) JSON.parse(text)
  else for (const line of text.split('\n')) if (line !== '') JSON.parse(line)
}

function toRate(name: string, rates: number[]): Rate {
  const sorted = rates.map(Math.round).sort((a, b) => a - b)
  return {
    name,
    medianMegabytesPerSecond: sorted[Math.floor(sorted.length / 2)] ?? 0,
    slowest: sorted[0] ?? 0,
    fastest: sorted.at(-1) ?? 0,
  }
}

function measureShape(
  shape: (typeof LARGE_SHAPES)[number],
): ReadingFigures & { name: string; bytes: number } {
  const bytes = BYTES[shape.large]
  const path = join(folder, `session-${shape.name}`)
  writeLargeFile(path, shape, bytes)
  const output = execFileSync(process.execPath, ['--expose-gc', '--import', 'tsx', MEASURE, path])
  rmSync(path)
  return { name: shape.name, bytes, ...JSON.parse(output.toString()) }
}

function print(rates: readonly Rate[], memory: readonly ReturnType<typeof measureShape>[]): void {
  for (const { name, medianMegabytesPerSecond, slowest, fastest } of rates) {
    const figure = `${medianMegabytesPerSecond}`.padStart(6)
    process.stdout.write(`${name.padEnd(24)}${figure} MB/s  (${slowest} to ${fastest}, ${RUNS} runs)\n`)
  }
  for (const { name, bytes, milliseconds, keptBytes, beyondBytes, residentBeyondBytes } of memory) {
    const rate = Math.round(bytes / 1_000 / milliseconds)
    const [kept, beyond, resident] = [keptBytes, beyondBytes, residentBeyondBytes].map((size) =>
      Math.round(size / 1e6),
    )
    process.stdout.write(
      `${name.padEnd(24)}${`${rate}`.padStart(6)} MB/s  keeps ${kept} MB, at most ${beyond} MB beyond that (resident: ${resident} MB)\n`,
    )
  }
}
