import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { LARGE_SHAPES, writeLargeFile } from './large-shapes.ts'
import type { ReadingFigures } from './measure-reading.ts'

const PROGRAM = fileURLToPath(new URL('measure-reading.ts', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'gemini-sessions-large-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// A fifth of the promised sizes, and of the memory; the benchmark reads the full sizes.
const BYTES = { file: 40_000_000, line: 20_000_000, text: 3_500_000 }
const MOST_BEYOND_BYTES = 30_000_000

describe('a large session file is read without holding it beside what it says', () => {
  it.each(LARGE_SHAPES)('$about', async (shape) => {
    const bytes = BYTES[shape.large]
    const path = join(folder, `session-${shape.name}`)
    writeLargeFile(path, shape, bytes)
    const { messages, issues, keptBytes, beyondBytes } = await measure(path)
    expect({ messages, issues }).toEqual({ messages: shape.messages(bytes), issues: 0 })
    expect(keptBytes).toBeGreaterThan(bytes / 4)
    expect(beyondBytes).toBeLessThan(MOST_BEYOND_BYTES)
    const heads = await measure(path, 'heads')
    expect(heads.beyondBytes).toBeLessThan(2_000_000)
    rmSync(path)
  })
})

async function measure(path: string, what = 'file'): Promise<ReadingFigures> {
  // A small young generation, so that garbage is soon collected.
  const flags = ['--expose-gc', '--max-semi-space-size=2', '--import', 'tsx']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, PROGRAM, path, what])
  return JSON.parse(stdout)
}
