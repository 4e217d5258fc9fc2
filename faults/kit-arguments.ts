import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

const PROGRAM = fileURLToPath(new URL('../apps/gemini-dash/dist/cli.js', import.meta.url))
/** Common options of the kit's programs. */
const COMMON = {
  seed: { type: 'string' },
  minutes: { type: 'string' },
  program: { type: 'string', default: PROGRAM },
} as const

/** Parses these options and those of the program. null: the number was not given. Exits with 2 and a sentence if one is invalid. */
export function readArguments<More extends Options>(more: More) {
  try {
    const { values } = parseArgs({ options: { ...COMMON, ...more } as typeof COMMON & More })
    const { seed, minutes } = values as { seed?: string; minutes?: string }
    return { options: values, seed: numberOf('seed', seed), minutes: numberOf('minutes', minutes) }
  } catch (error) {
    return endWith(error instanceof Error ? error.message : String(error))
  }
}

export function endWith(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}

/** A folder for all output of a program of the kit; removed on exit, however it ends. */
export function openFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `gemini-dash-${name}-`))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return folder
}

/** The value of an option; null if not given. */
export function numberOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number) || number < 0)
    endWith(`--${name} wants a number, and "${text}" is none.`)
  return number
}
