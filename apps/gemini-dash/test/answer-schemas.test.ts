import { ANSWERS, type SessionList } from '@gemini-dash/api'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerSchemas } from '../build/answer-schemas.ts'
import { listedRoutes } from '../src/server/contract.ts'
import { COMMANDS } from '../src/terminal/commands.ts'
import { everyQuestion } from './every-question.ts'
import { fixtureHome, openTestServer, type TestServer } from './open-test-server.ts'
import { runProgram } from './run-program.ts'

const schemas = validators()

describe('D3: JSON Schemas of all answers', () => {
  test('every address and command that answers JSON has one', () => {
    const told = Object.values(ANSWERS).flatMap(({ of }) => of.map((place) => place.replace(/^[A-Z]+ /, '')))
    const routes = listedRoutes.filter((route) => route.startsWith('/api/'))
    expect(routes.filter((route) => !told.includes(route)).sort()).toEqual([
      '/api/*',
      // answers of these are text, a picture, a file, or only for our own commands
      '/api/command',
      '/api/export',
      '/api/sessions/:key/export',
      '/api/sessions/:key/messages/:messageKey/parts/:index',
      '/api/sessions/:key/neighbours/:fileId',
      '/api/sessions/:key/tool-calls/:callId/output',
    ])
    const commands = Object.entries(COMMANDS).filter(([, { flags }]) => flags.some((flag) => flag === 'json'))
    expect(commands.map(([name]) => name).filter((name) => !told.includes(name))).toEqual([
      // uses a protocol of its own
      'mcp',
    ])
  })

  test('they are open, and their version is 1', () => {
    for (const [name, text] of answerSchemas())
      expect([name, text.includes('"additionalProperties": false')]).toEqual([name, false])
    expect(schemas.SessionList?.({ schemaVersion: 2 })).toBe(false)
  })
})

describe('D3: answers fit their schemas', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer()
  })
  afterAll(() => server.close())

  test('of every address of the API', async () => {
    const seen = new Set<string>()
    const { sessions } = (await get('/api/sessions')) as SessionList
    for (const { key } of sessions.slice(0, 3)) {
      for (const { route, path } of await questionsAbout(key)) {
        const name = Object.keys(ANSWERS).find((each) => ANSWERS[each]?.of.includes(nameOf(route, path)))
        const answer = name === undefined ? undefined : await get(path)
        if (name === undefined || answer === undefined) continue
        seen.add(name)
        expect(faults(name, answer)).toEqual([])
      }
    }
    const others = Object.keys(ANSWERS).filter((name) => !seen.has(name))
    expect(others.sort()).toEqual(NOT_ASKED)
  })

  test.each([
    ['SessionList', 'list'],
    ['SearchResult', 'search', 'cart'],
    ['UsageReport', 'usage'],
    ['Doctor', 'doctor'],
  ])('%s, as the command line prints it', async (name, ...args) => {
    const { stdout } = await runProgram([...args, '--json', '--no-cache', '--home', fixtureHome('0.61.0')])
    expect(faults(name, JSON.parse(stdout))).toEqual([])
  })

  /** undefined: not JSON, or not found. */
  async function get(address: string): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${server.port}${address}`, {
      headers: { cookie: server.cookie },
    })
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    return isJson && answer.ok ? answer.json() : undefined
  }

  async function questionsAbout(key: string): Promise<{ route: string; path: string }[]> {
    const page = (await get(`/api/sessions/${key}/messages?limit=20`)) as { messages: { key: string }[] }
    const messageKeys = page.messages.map((message) => message.key).slice(0, 3)
    return everyQuestion({ key, messageKeys, callIds: [], word: 'cart' })
  }
})

/** The report of one turn has a different shape. */
function nameOf(route: string, path: string): string {
  return path.includes('/cost?turn=') ? `${route}?turn=` : route
}

function faults(name: string, answer: unknown): unknown[] {
  const validate = schemas[name]
  if (validate === undefined) throw new Error(`There is no schema of ${name}`)
  expect(answer).toMatchObject({ schemaVersion: 1 })
  return validate(answer) ? [] : [name, validate.errors]
}

function validators(): Record<string, ValidateFunction> {
  const ajv = new Ajv2020({ strict: false })
  const names = [...answerSchemas()].flatMap(([name, text]) => {
    if (!name.endsWith('.json')) return []
    ajv.addSchema(JSON.parse(text))
    return name
  })
  return Object.fromEntries(
    names.flatMap((name) => {
      const validate = ajv.getSchema(name)
      return validate === undefined ? [] : [[name.replace('.json', ''), validate as ValidateFunction]]
    }),
  )
}

/**
 * Not requested here: they change something, stream, are errors, concern a file that none of these sessions touched, or are printed by a
 * command.
 */
const NOT_ASKED = [
  'ApiError',
  'CacheCleared',
  'ExportedFiles',
  'FolderSearch',
  'FoldersSearch',
  'ForgetAnswer',
  'ForkAnswer',
  'LiveEvent',
  'MarkAnswer',
  'MarkTransfer',
  'MarksTaken',
  'MoveAnswer',
  'OpenedAdded',
  'OpenedAddress',
  'Project',
  'RecoverAnswer',
  'SampleAddress',
  'Serving',
  'ShownSession',
  'StreamHello',
  'TestbedAnswer',
]
