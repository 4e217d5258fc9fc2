import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as api from '@gemini-dash/api'
import * as model from 'gemini-sessions'
import { describe, expect, test } from 'vitest'
import { listedRoutes, methodsOf } from '../src/server/contract.ts'
import { COMMANDS } from '../src/terminal/commands.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const page = readFileSync(`${root}docs/contract.md`, 'utf8')
const schemas: Record<string, unknown> = { ...model, ...api }

/** Flags of every command, and of every command but `url`; the table omits them. */
const EVERYWHERE = ['home', 'demo', 'cache-dir', 'data-dir', 'json', 'help']
const ALMOST_EVERYWHERE = ['no-cache', 'find-projects']

const QUERIES: Record<string, { shape: object }> = {
  '/api/sessions': api.sessionQuerySchema,
  '/api/sessions/:key': api.sessionDetailQuerySchema,
  '/api/sessions/:key/resume': api.resumeQuerySchema,
  '/api/sessions/:key/recover': api.recoverQuerySchema,
  '/api/sessions/:key/fork': api.forkQuerySchema,
  '/api/sessions/:key/move': api.moveQuerySchema,
  '/api/projects/:key/move': api.moveQuerySchema,
  '/api/sessions/:key/messages': api.messageQuerySchema,
  '/api/sessions/:key/tool-calls/:callId/output': api.toolOutputQuerySchema,
  '/api/sessions/:key/calls': api.sessionCallsQuerySchema,
  '/api/sessions/:key/transcript': api.transcriptQuerySchema,
  '/api/sessions/:key/export': api.exportQuerySchema,
  '/api/sessions/:key/export/review': api.exportReviewQuerySchema,
  '/api/sessions/:key/find': api.findQuerySchema,
  '/api/sessions/:key/neighbours/:fileId': api.neighbourFileQuerySchema,
  '/api/sessions/:key/handover': api.handoverQuerySchema,
  '/api/export': api.exportSeveralQuerySchema,
  '/api/export/sessions': api.exportSeveralQuerySchema,
  '/api/search': api.searchQuerySchema,
  '/api/search/suggest': api.suggestQuerySchema,
  '/api/marks': api.markQuerySchema,
  '/api/usage': api.usageQuerySchema,
  '/api/open': api.openFileQuerySchema,
  '/api/usage/why': api.usageWhyQuerySchema,
  '/api/budgets': api.budgetQuerySchema,
  '/api/budgets/:scope': api.budgetQuerySchema,
}

describe('docs/contract.md', () => {
  test('names every command with its options, in their order', () => {
    const expected = Object.entries(COMMANDS).map(([name, { flags }]) => {
      const isEverywhere = (flag: string) => [...EVERYWHERE, ...ALMOST_EVERYWHERE].includes(flag)
      const isAboutSessions = name !== 'completion'
      // opened files are in no home
      const isOfHomes = (flag: string) => name !== 'open' || ['data-dir', 'json', 'help'].includes(flag)
      for (const flag of EVERYWHERE)
        expect(flags.includes(flag as never)).toBe((isAboutSessions && isOfHomes(flag)) || flag === 'help')
      for (const flag of ALMOST_EVERYWHERE)
        expect(flags.includes(flag as never)).toBe(
          isAboutSessions && !['url', 'marks', 'open'].includes(name),
        )
      return [name, flags.filter((flag) => !isEverywhere(flag)).map((flag) => `--${flag}`)]
    })
    const written = rowsBelow('| command | options |').map(([command = '', options = '']) => [
      codesIn(command)[0],
      codesIn(options),
    ])
    expect(written).toEqual(expected)
  })

  test('names every address, with its method and parameters', () => {
    const expected = listedRoutes
      .filter((route) => route.startsWith('/api/') && route !== '/api/*')
      .flatMap((route) =>
        methodsOf(route)
          .filter((method) => method !== 'HEAD')
          .map((method) => [
            method === 'GET' ? route : `${method} ${route}`,
            Object.keys(QUERIES[route]?.shape ?? {}),
          ]),
      )
    const written = rowsBelow('| address | parameters | answer |').map(([address = '', parameters = '']) => [
      codesIn(address)[0],
      codesIn(parameters),
    ])
    expect(written.toSorted(byName)).toEqual(expected.toSorted(byName))
  })

  test('names every page', () => {
    const pages = listedRoutes.filter(
      (route) => !route.startsWith('/api/') && !/^\/(assets\/)?\*$/.test(route),
    )
    const written = codesIn(/^Pages: (.*?)\. /m.exec(page)?.[1] ?? '')
    expect(written.map((path) => path.replace(':project', '*')).toSorted()).toEqual(pages.toSorted())
  })

  test('names every field of each shape, in its order', () => {
    const shapes = [...page.matchAll(/^(\w+) +\{ (.*) \}$/gm)]
    expect(shapes.length).toBeGreaterThan(20)
    for (const [, name = '', fields] of shapes) {
      const schema = schemas[`${name.charAt(0).toLowerCase()}${name.slice(1)}Schema`] as { shape: object }
      expect([name, fields]).toEqual([
        name,
        Object.keys(schema.shape)
          .filter((field) => field !== 'schemaVersion')
          .join(', '),
      ])
    }
  })

  test('holds every rule that the code cites, numbered without a gap', () => {
    const rules = [...page.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number))
    expect(rules).toEqual(rules.map((_, index) => index + 1))
    const sources = ['apps', 'packages'].flatMap((part) =>
      readdirSync(`${root}${part}`).map((name) => `${root}${part}/${name}/src`),
    )
    const cited = sources.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .flatMap((file) => readFileSync(`${folder}/${file}`, 'utf8').match(/\brules? \d[\d, and]*/gi) ?? []),
    )
    const numbers = cited.flatMap((text) => text.match(/\d+/g) ?? []).map(Number)
    expect(numbers.length).toBeGreaterThan(10)
    expect(numbers.filter((number) => !rules.includes(number))).toEqual([])
  })
})

/** The cells of each row of the table with that header. */
function rowsBelow(head: string): string[][] {
  const [, below = ''] = page.split(`${head}\n`)
  const [table = ''] = below.split('\n\n')
  const [, ...rows] = table.trim().split('\n')
  return rows.map((row) => row.split('|').slice(1, -1))
}

function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

function byName([left]: unknown[], [right]: unknown[]): number {
  return String(left) < String(right) ? -1 : 1
}
