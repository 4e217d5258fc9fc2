import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface ChecklistRow {
  /** `1` to `64`, `H1` to `H23`. */
  item: string
  rule: string
  /** In `fixtures/`. */
  fixtures: string[]
  tests: { file: string; name: string }[]
}

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** The rows of the table in fixtures/README.md. */
export function readTable(): ChecklistRow[] {
  const lines = readFileSync(`${ROOT}/fixtures/README.md`, 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [item, rule = '', fixtures = '', tests = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
    if (item === undefined || !/^H?\d+$/.test(item)) return []
    return [
      {
        item,
        rule,
        fixtures: [...fixtures.matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? ''),
        tests: tests.split('<br>').map((cell) => {
          const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(cell) ?? []
          return { file, name }
        }),
      },
    ]
  })
}
