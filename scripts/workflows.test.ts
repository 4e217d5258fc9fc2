import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import root from '../package.json' with { type: 'json' }

const folder = fileURLToPath(new URL('..', import.meta.url))
const workflows = join(folder, '.github', 'workflows')

interface Workflow {
  on: object
  permissions: object
  jobs: Record<
    string,
    { strategy?: { matrix: Record<string, unknown[]> }; steps: Step[]; 'timeout-minutes': number }
  >
}
interface Step {
  uses?: string
  run?: string
}

const read = (name: string): Workflow => {
  const document = parseDocument(readFileSync(join(workflows, name), 'utf8'), {
    strict: true,
    uniqueKeys: true,
  })
  expect([name, document.errors, document.warnings]).toEqual([name, [], []])
  return document.toJS()
}

test.each(readdirSync(workflows))(
  'B7: %s says what starts it, what it may do and how long, and runs what is there',
  (name) => {
    const { on, permissions, jobs } = read(name)
    expect([typeof on, typeof permissions]).toEqual(['object', 'object'])
    for (const job of Object.values(jobs)) {
      expect(job['timeout-minutes']).toBeGreaterThan(0)
      for (const { uses, run } of job.steps) {
        expect(uses ?? run).toBeDefined()
        for (const [, script = ''] of run?.matchAll(/npm run ([\w:]+)/g) ?? [])
          expect(root.scripts).toHaveProperty([script])
        for (const [path] of run?.matchAll(/scripts\/[\w/-]+\.mjs/g) ?? [])
          expect([path, existsSync(join(folder, path))]).toEqual([path, true])
        const [pnpm] = run?.match(/pnpm@[\d.]+/) ?? []
        if (pnpm !== undefined) expect(pnpm).toBe(root.packageManager)
      }
    }
  },
)

test('B7: changes are tested on three systems with three Nodes', () => {
  expect(read('test.yml').jobs.systems?.strategy?.matrix).toEqual({
    os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
    node: [20, 22, 24],
  })
})
