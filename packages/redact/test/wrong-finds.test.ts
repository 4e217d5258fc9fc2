import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { type Change, redactText } from '../src/index.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Rules and tests of the redactor consist of secrets. */
const LEFT_OUT = /node_modules|dist|packages[/\\]redact|\.git$/

/** Findings that were reviewed and are correct, by their text: paths of people, and fake secrets of tests. */
const RIGHT: readonly RegExp[] = [
  /^(?:\\[nrt])?(?:\/home\/|\/Users\/|[A-Za-z]:[\\/]+Users[\\/]+)[\w .-]+$/i,
  /^[\w.+-]+@(?!.*\.(?:ts|js|json|md)$)[\w.-]+\.[a-z]{2,}$/,
  /^(?:ada|alice|anna|ana|mia|eric)$/,
  /^hunter2/,
  /^npm_aB3/,
]

interface Find {
  path: string
  change: Change
}

test('S22: at most one wrong find in a thousand lines of fixtures, logs and code', () => {
  let lines = 0
  const finds: Find[] = []
  const look = (text: string, path: string) => {
    lines += text.split('\n').length
    for (const change of redactText(text).changes) finds.push({ path, change })
  }
  for (const folder of ['fixtures', 'apps', 'packages', 'scripts', 'e2e', 'docs'])
    for (const path of filesBelow(join(ROOT, folder))) {
      const text = readFileSync(path, 'utf8')
      look(text, path)
      if (/\.jsonl?$/.test(path)) for (const inner of textsIn(text)) look(inner, path)
    }
  const wrong = finds.filter(({ change }) => !RIGHT.some((form) => form.test(change.value)))
  expect(lines).toBeGreaterThan(100_000)
  expect(finds.length).toBeGreaterThan(1000)
  // each of them, for review: correct ones belong in the list above
  const told = wrong.map(
    ({ path, change }) => `${change.name}: ${change.value.slice(0, 60)} (${path.slice(ROOT.length)})`,
  )
  expect((wrong.length * 1000) / lines, [...new Set(told)].join('\n')).toBeLessThan(1)
})

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (LEFT_OUT.test(path.slice(ROOT.length))) continue
    if (entry.isDirectory()) yield* filesBelow(path)
    else if (/\.(?:[cm]?[jt]sx?|jsonl?|md|css|html|ya?ml|txt|log|sh)$/.test(entry.name)) yield path
  }
}

/** Multi-line texts in a JSON or JSON Lines file: the content of sessions. */
function textsIn(text: string): string[] {
  const texts: string[] = []
  for (const line of text.split('\n')) {
    try {
      JSON.parse(line, (_, value) => {
        if (typeof value === 'string' && value.includes('\n')) texts.push(value)
        return value
      })
    } catch {
      // truncated or not JSON: it was searched as text
    }
  }
  return texts
}
