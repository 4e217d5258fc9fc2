import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import type { GoldenAnswer } from './collect-answers.ts'

const GOLDEN = fileURLToPath(new URL('../../../../fixtures/golden/', import.meta.url))
const CHANGES = `${GOLDEN}changes.json`

/** Answers of the homes of one golden file. */
export type AnswersByHome = Record<string, GoldenAnswer[]>

/** One change of the golden files, with the affected fields. */
export interface GoldenChange {
  reason: string
  /** As `/api/sessions sessions.*.title`; empty if everything was frozen again. */
  fields: string[]
  /** Hash of each golden file after the change. */
  files: Record<string, string>
}

/** Empty if the file does not exist yet. */
export function readGolden(name: string): AnswersByHome {
  const path = pathOf(name)
  return existsSync(path) ? JSON.parse(brotliDecompressSync(readFileSync(path)).toString()) : {}
}

export function writeGolden(name: string, answers: AnswersByHome): void {
  const text = Buffer.from(JSON.stringify(answers))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  writeFileSync(pathOf(name), brotliCompressSync(text, { params }))
}

export function hashOfGolden(name: string): string {
  return createHash('sha256')
    .update(readFileSync(pathOf(name)))
    .digest('hex')
}

export function readChanges(): GoldenChange[] {
  return existsSync(CHANGES) ? JSON.parse(readFileSync(CHANGES, 'utf8')) : []
}

export function writeChanges(changes: GoldenChange[]): void {
  writeFileSync(CHANGES, `${JSON.stringify(changes, null, 2)}\n`)
}

export interface Difference {
  /** Route and field, without indexes: the form used in the list of changes. */
  field: string
  home: string
  path: string
  seen: unknown
  golden: unknown
}

/** Field by field, address by address. */
export function compareAnswers(seen: AnswersByHome, golden: AnswersByHome): Difference[] {
  const differences: Difference[] = []
  for (const home of new Set([...Object.keys(seen), ...Object.keys(golden)])) {
    const now = byPath(seen[home])
    const before = byPath(golden[home])
    for (const path of new Set([...now.keys(), ...before.keys()])) {
      const route = (now.get(path) ?? before.get(path))?.route ?? ''
      const add = (field: string, one: unknown, other: unknown): void => {
        differences.push({ field: `${route} ${field}`.trim(), home, path, seen: one, golden: other })
      }
      compareValues(now.get(path), before.get(path), '', add)
    }
  }
  return differences
}

function compareValues(
  seen: unknown,
  golden: unknown,
  field: string,
  add: (field: string, seen: unknown, golden: unknown) => void,
): void {
  if (Object.is(seen, golden)) return
  if (!isObject(seen) || !isObject(golden) || Array.isArray(seen) !== Array.isArray(golden)) {
    add(field, seen, golden)
    return
  }
  for (const name of new Set([...Object.keys(seen), ...Object.keys(golden)])) {
    const step = Array.isArray(seen) ? '*' : name
    const below = name === 'body' && field === '' ? '' : field === '' ? step : `${field}.${step}`
    compareValues(seen[name], golden[name], below, add)
  }
}

function byPath(answers: GoldenAnswer[] = []): Map<string, GoldenAnswer> {
  return new Map(answers.map((answer) => [answer.path, answer]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function pathOf(name: string): string {
  return `${GOLDEN}${name}.json.br`
}
