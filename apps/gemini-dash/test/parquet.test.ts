import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { UsageReport, UsageRow } from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  AGY_PARENT_ID,
  agyOpening,
  agyScript,
  agyUsage,
} from '../../../fixtures/antigravity/agy-conversation.ts'
import { writeAgyConversation } from '../../../fixtures/antigravity/write-agy-home.ts'
import { columnsOf, type ExportedColumn, TABLE_NAMES, TABLES } from '../src/export/tables.ts'
import { runProgram } from './run-program.ts'

const HOMES = fileURLToPath(new URL('../../../fixtures/homes', import.meta.url))
const DEMO = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))
const PAGE = readFileSync(fileURLToPath(new URL('../../../docs/parquet.md', import.meta.url)), 'utf8')
const SECRET = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`
const KINDS = ['input', 'cached', 'output', 'thoughts', 'tool'] as const

let folder: string
let duckdb: DuckDBConnection

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-parquet-'))
  duckdb = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(() => {
  duckdb.closeSync()
  rmSync(folder, { recursive: true })
})

type Row = Record<string, string | number | boolean | null>

async function query(sql: string): Promise<Row[]> {
  const reader = await duckdb.runAndReadAll(sql)
  return reader
    .getRowObjectsJS()
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'bigint' ? Number(value) : (value as string),
        ]),
      ),
    )
}

const filesOf = (out: string, table: string) =>
  `read_parquet('${join(out, table)}/*/*/*.parquet', hive_partitioning = true)`

/** The folders for this home's program, as options of every command. */
const placesOf = (name: string) => [
  '--cache-dir',
  join(folder, name, 'cache'),
  '--data-dir',
  join(folder, name, 'data'),
]

async function exported(
  name: string,
  ...options: string[]
): Promise<{ out: string; files: string[]; unchanged: number; removed: string[]; machine: string }> {
  const out = join(folder, name, 'tables')
  const args = ['export', '--format', 'parquet', '--out', out, '--json', ...placesOf(name), ...options]
  const { code, stdout, stderr } = await runProgram(args)
  expect(code, stderr).toBe(0)
  const { files, ...told } = JSON.parse(stdout)
  return { out, files: files.map(({ path }: { path: string }) => path), ...told }
}

const SUMS = `sum(requests) AS calls, ${KINDS.map((kind) => `sum(${kind}) AS ${kind}`).join(', ')},
  sum(tokens) AS total, sum(cost_usd) AS usd, sum(unpriced) AS unpriced, count(DISTINCT main_session) AS sessions`

/** The same figures from a row of `usage`. */
function figuresOf({ usage, cost, sessions }: Pick<UsageRow, 'usage' | 'cost' | 'sessions'>): Row {
  const kinds = Object.fromEntries(KINDS.map((kind) => [kind, usage?.[kind] ?? 0]))
  return {
    calls: usage?.calls ?? 0,
    ...kinds,
    total: usage?.total ?? 0,
    usd: cost?.usd ?? null,
    unpriced: cost?.unpricedCalls ?? 0,
    sessions,
  }
}

function near(row: Row): Row {
  const usd = row.usd === null || row.usd === undefined ? null : Number(Number(row.usd).toFixed(9))
  return { ...row, usd }
}

describe('O8: DuckDB adds up the tables to what usage says', () => {
  const agy = () => {
    const home = join(folder, 'agy-home')
    const own = agyOpening('Who rounds here?')
    writeAgyConversation(join(home, '.gemini'), agyScript(agyOpening()))
    writeAgyConversation(join(home, '.gemini'), agyScript(own, { id: AGY_PARENT_ID, trajectory: 'parent' }))
    const more = [
      { kind: 'prompt' as const, text: 'Else?' },
      { kind: 'answer' as const, text: 'No.', usage: agyUsage({ cacheRead: 0 }) },
    ]
    const forkOf = { conversation: AGY_PARENT_ID, trajectory: 'parent', steps: own.length }
    const id = '11111111-0b7e-4c11-9d58-6a1f0e2b7c90'
    writeAgyConversation(join(home, '.gemini'), agyScript([...own, ...more], { id, forkOf }))
    return ['--home', home, '--home', DEMO]
  }
  const samples = () => readdirSync(HOMES).flatMap((name) => ['--home', join(HOMES, name)])

  test.each([
    ['samples of every version', samples],
    ['demo, and conversations of Antigravity CLI', agy],
  ])('of the %s', { timeout: 120_000 }, async (name, homes) => {
    const where = homes()
    const { out } = await exported(name, ...where)
    const usage = async (by: string): Promise<UsageReport> => {
      const { stdout } = await runProgram([
        'usage',
        '--json',
        '--by',
        by,
        '--tz',
        'UTC',
        ...placesOf(name),
        ...where,
      ])
      return JSON.parse(stdout)
    }
    const [months, projects, models, tools] = [
      await usage('month'),
      await usage('project'),
      await usage('model'),
      await usage('tool'),
    ]
    expect(months.total.usage.calls).toBeGreaterThan(5)
    const spend = filesOf(out, 'spend')

    const [ofSpend] = await query(`SELECT ${SUMS} FROM ${spend}`)
    const { sessions, ...total } = figuresOf(months.total)
    // a session without requests has no row there
    expect(near({ ...ofSpend, sessions: 0 })).toEqual(near({ ...total, sessions: 0 }))
    for (const table of ['sessions', 'messages'])
      expect(
        await query(
          `SELECT ${SUMS} FROM ${filesOf(out, table)} WHERE ${table === 'messages' ? 'true' : "kind <> 'prompts-only'"}`,
        ).then(([row]) => near({ ...row, sessions: 0 })),
      ).toEqual(near({ ...total, sessions: 0 }))
    const [counted] =
      await query(`SELECT count(*) AS main, sum(failed_calls) AS tools, sum(refused) AS refused, sum(unanswered) AS unanswered
      FROM ${filesOf(out, 'sessions')} WHERE kind = 'main'`)
    expect(counted?.main).toBe(sessions)
    const [failures] =
      await query(`SELECT sum(failed_calls) AS tools, sum(refused) AS refused, sum(unanswered) AS unanswered
      FROM ${filesOf(out, 'sessions')} WHERE kind <> 'prompts-only'`)
    expect(failures).toEqual(months.total.failures)

    const byKey = (rows: Row[]) => Object.fromEntries(rows.map(({ key, ...row }) => [String(key), near(row)]))
    const wanted = (report: UsageReport) =>
      Object.fromEntries(report.rows.map((row) => [row.key, near(figuresOf(row))]))
    expect(byKey(await query(`SELECT month AS key, ${SUMS} FROM ${spend} GROUP BY ALL`))).toEqual(
      wanted(months),
    )
    expect(
      byKey(await query(`SELECT coalesce(model, 'unknown') AS key, ${SUMS} FROM ${spend} GROUP BY ALL`)),
    ).toEqual(wanted(models))
    const ofProjects = await query(
      `SELECT project AS key, ${SUMS} FROM ${filesOf(out, 'sessions')} WHERE kind <> 'prompts-only' GROUP BY ALL`,
    )
    expect(byKey(ofProjects)).toEqual(wanted(projects))
    const ofTools = await query(
      `SELECT tool, count(*) AS calls, count(*) FILTER (failed) AS errors FROM ${filesOf(out, 'calls')} GROUP BY ALL`,
    )
    const callsOf = (rows: Row[]) =>
      Object.fromEntries(rows.map(({ tool, calls, errors }) => [tool, [calls, errors]]))
    expect(callsOf(ofTools)).toEqual(
      Object.fromEntries(tools.rows.map(({ key, calls, errors }) => [key, [calls, errors]])),
    )
  })
})

/** A home with a session in October and one in November that contains a secret. */
function smallHome(name: string): string {
  const home = join(folder, name, 'home')
  writeSession(home, '2026-10-05', 'Which prices are wrong?', 'npm test')
  writeSession(
    home,
    '2026-11-06',
    `Use ${SECRET} of /home/anna/shop`,
    `curl -H 'Authorization: Bearer ${SECRET}' shop`,
  )
  writeFileSync(join(home, '.gemini/tmp/shop/.project_root'), '/home/anna/shop')
  return home
}

function writeSession(home: string, day: string, prompt: string, command: string): string {
  const time = (second: number) => `${day}T10:00:0${second}.000Z`
  const sessionId = `${day}-aaaa-4bbb-8ccc-000000000001`
  const call = {
    id: 'c1',
    name: 'run_shell_command',
    args: { command },
    status: 'success',
    timestamp: time(3),
  }
  const rows = [
    { sessionId, projectHash: 'x', startTime: time(0), lastUpdated: time(3), kind: 'main' },
    { id: 'p1', timestamp: time(1), type: 'user', content: [{ text: prompt }] },
    {
      ...{ id: 'a1', timestamp: time(2), type: 'gemini', content: 'I look.', model: 'gemini-2.5-pro' },
      ...{ tokens: { input: 1000, output: 50, cached: 100, total: 1050 }, toolCalls: [call] },
    },
  ]
  const chats = join(home, '.gemini/tmp/shop/chats')
  mkdirSync(chats, { recursive: true })
  const path = join(chats, `session-${day}T10-00-${sessionId.slice(0, 8)}.jsonl`)
  writeFileSync(path, `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)
  return path
}

/** Everything below a folder: content and time of each file. */
function stateOf(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name))
  return Object.fromEntries(
    paths
      .filter((path) => statSync(path).isFile())
      .map((path) => [
        path.slice(root.length),
        `${statSync(path, { bigint: true }).mtimeNs} ${readFileSync(path, 'base64')}`,
      ]),
  )
}

describe('O8: tables on disk', () => {
  test('name no host, and hold no text that was not asked for', async () => {
    const home = smallHome('figures')
    const { out, machine } = await exported('figures', '--home', home)
    expect(machine).toMatch(/^[0-9a-f]{10}$/)
    expect(Object.keys(stateOf(out)).join()).not.toContain(hostname())
    const words = ['prices', 'anna', 'shop', 'npm', SECRET, hostname()]
    for (const table of TABLE_NAMES) {
      const rows = await query(`SELECT * FROM ${filesOf(out, table)}`)
      expect(rows).not.toEqual([])
      expect(Object.keys(rows[0] ?? {})).toEqual([
        ...columnsOf(table, false).map(([name]) => name),
        'machine',
        'month',
      ])
      expect(words.filter((word) => JSON.stringify(rows).includes(word))).toEqual([])
    }
  })

  test('hold redacted text with --texts, and all of it as it is with --redact off', async () => {
    const home = smallHome('texts')
    const read = async (...options: string[]) => {
      const { out } = await exported('texts', '--home', home, '--texts', ...options)
      const [sessions, messages, calls] = await Promise.all(
        ['sessions', 'messages', 'calls'].map((table) =>
          query(`SELECT * FROM ${filesOf(out, table)} WHERE month = '2026-11'`),
        ),
      )
      return {
        sessions: sessions?.[0],
        prompt: messages?.[0]?.text,
        answer: messages?.[1]?.text,
        command: calls?.[0]?.command,
      }
    }
    const clean = await read()
    expect(JSON.stringify(clean)).not.toMatch(/ghp_|anna/)
    expect(clean).toMatchObject({
      prompt: expect.stringMatching(/^Use .+ of .+shop$/),
      answer: 'I look.',
      command: expect.stringContaining('curl'),
    })
    const whole = await read('--redact', 'off')
    expect(whole).toMatchObject({
      prompt: `Use ${SECRET} of /home/anna/shop`,
      command: `curl -H 'Authorization: Bearer ${SECRET}' shop`,
    })
    expect(whole.sessions).toMatchObject({
      project_name: 'shop',
      project_path: '/home/anna/shop',
      first_prompt: expect.stringContaining('/home/anna/shop'),
    })
  })

  test('are written again only where something changed, and gone where nothing is left', async () => {
    const home = smallHome('again')
    const first = await exported('again', '--home', home)
    expect(first.files).toHaveLength(8)
    const before = stateOf(first.out)
    const second = await exported('again', '--home', home)
    expect([second.files, second.unchanged, second.removed]).toEqual([[], 8, []])
    expect(stateOf(first.out)).toEqual(before)

    const path = writeSession(home, '2026-11-07', 'And now?', 'npm start')
    const third = await exported('again', '--home', home)
    expect([third.files.length, third.unchanged]).toEqual([4, 4])
    const after = stateOf(first.out)
    const changed = Object.keys(after).filter((name) => after[name] !== before[name])
    expect(changed.every((name) => name.includes('month=2026-11'))).toBe(true)

    rmSync(path)
    for (const each of readdirSync(join(home, '.gemini/tmp/shop/chats')))
      if (each.includes('2026-11')) rmSync(join(home, '.gemini/tmp/shop/chats', each))
    const last = await exported('again', '--home', home)
    expect([last.files, last.unchanged, last.removed.length]).toEqual([[], 4, 4])
    expect(readdirSync(join(first.out, 'spend'))).toEqual(['month=2026-10'])
  })

  test('of a project are of it alone', async () => {
    const home = smallHome('project')
    const { stderr, code } = await runProgram([
      'export',
      '--format',
      'parquet',
      '--out',
      join(folder, 'none'),
      '--home',
      home,
      '--project',
      'nothing-like-it',
      ...placesOf('project'),
    ])
    expect([code, stderr]).toEqual([1, expect.stringContaining('No project matches "nothing-like-it"')])
    await exported('project', '--home', home, '--project', 'shop')
    const other = await exported(
      'project',
      '--home',
      home,
      '--home',
      join(HOMES, '0.4.1'),
      '--project',
      'shop',
    )
    expect([other.files, other.unchanged]).toEqual([[], 8])
  })

  test('of a machine that got a label leave nothing under its old name', async () => {
    const home = smallHome('label')
    const { out } = await exported('label', '--home', home)
    const told = await exported('label', '--home', home, '--machine', 'laptop')
    expect([told.machine, told.files.length, told.removed.length]).toEqual(['laptop', 8, 8])
    expect(readdirSync(join(out, 'calls', 'month=2026-10'))).toEqual(['machine=laptop'])
    expect((await exported('label', '--home', home)).unchanged).toBe(8)
  })
})

describe('O8: tables are refused', () => {
  let home: string
  let out: string
  beforeAll(async () => {
    home = smallHome('refused')
    out = (await exported('refused', '--home', home, '--machine', 'laptop')).out
    writeSession(home, '2026-11-08', 'More', 'npm start')
  })

  /** Everything except the program's own data. */
  const outside = () =>
    Object.entries(stateOf(folder)).filter(([path]) => !/^\/[\w-]+\/(?:cache|data)\//.test(path))

  /** @returns the message; checks that nothing has changed */
  async function refused(
    target: string,
    places = placesOf('refused'),
    ...options: string[]
  ): Promise<string> {
    const before = outside()
    const args = ['export', '--format', 'parquet', '--out', target, '--home', home, ...places, ...options]
    const { code, stderr } = await runProgram(args)
    expect(code).not.toBe(0)
    expect(outside()).toEqual(before)
    return stderr
  }

  test('inside any .gemini folder, whichever links lead there', async () => {
    expect(await refused(join(home, '.gemini', 'tables'))).toContain('where gemini-dash writes no exports')
    const other = join(folder, 'other', '.gemini')
    mkdirSync(other, { recursive: true })
    symlinkSync(other, join(folder, 'link'))
    expect(await refused(join(folder, 'link', 'tables'))).toContain('is in a .gemini folder')
  })

  test('where something else is in the way', async () => {
    const place = join(out, 'calls', 'month=2026-11', 'machine=laptop')
    const whole = readFileSync(join(place, 'calls.parquet'))
    writeFileSync(join(place, 'calls.parquet'), 'mine')
    expect(await refused(out)).toContain(`${join(place, 'calls.parquet')} is not from this export`)
    writeFileSync(join(place, 'calls.parquet'), whole)
    writeFileSync(join(place, 'more.parquet'), 'mine')
    expect(await refused(out)).toContain('more.parquet is not from this export')
    rmSync(join(place, 'more.parquet'))
    writeFileSync(join(out, 'calls', 'notes.txt'), 'mine')
    expect(await refused(out)).toContain('notes.txt is not from this export')
    rmSync(join(out, 'calls', 'notes.txt'))
    writeFileSync(join(folder, 'file'), '')
    expect(await refused(join(folder, 'file'))).toContain('is not a folder')
    expect(await refused(out, placesOf('namesake'), '--machine', 'laptop')).toContain(
      'written by another machine of the same name',
    )
  })

  test('where they are not asked for rightly', async () => {
    expect(await refused(out, placesOf('refused'), '--query', 'x')).toContain('can’t be combined')
    expect(await refused(join(folder, 'tables.zip'))).toContain('needs a folder')
    expect(await refused(out, placesOf('refused'), '--machine', '../up')).toContain(
      'is not a valid machine name',
    )
    expect(await refused(join(folder, 'new'), placesOf('unknown'), '--no-cache')).toContain(
      'Run the export once without --no-cache',
    )
  })

  test('by a disk that is full, and nothing is half written', async () => {
    const before = stateOf(out)
    const target = join(folder, 'full', 'tables')
    const run = (into: string) =>
      spawnSync(
        'bash',
        [
          '-c',
          `trap '' XFSZ; ulimit -f 1; exec "$@"`,
          'bash',
          process.execPath,
          join(inject('program'), 'cli.js'),
          'export',
          '--format',
          'parquet',
          '--out',
          into,
          '--home',
          home,
          '--no-cache',
          '--data-dir',
          join(folder, 'refused', 'data'),
        ],
        { encoding: 'utf8', env: { PATH: process.env.PATH, CI: 'true' } },
      )
    for (const into of [out, target]) {
      const { status, stderr } = run(into)
      expect([status, stderr]).toEqual([
        1,
        expect.stringContaining('the file is too large for this system (EFBIG)'),
      ])
    }
    expect(stateOf(out)).toEqual(before)
    expect(existsSync(join(folder, 'full'))).toBe(false)
  })
})

describe('O8: docs/parquet.md', () => {
  test('lists every column', () => {
    for (const table of TABLE_NAMES) {
      const [, section = ''] = PAGE.split(`### \`${table}\`\n`)
      const rows = [
        ...(section.split('\n### ')[0] ?? '').matchAll(/^\| `(\w+)` \| (\w+) \|( \*\*text\*\*)?/gm),
      ]
      const columns = Object.entries<ExportedColumn>(TABLES[table])
      expect(rows.map(([, name, type, text]) => [name, type, text !== undefined])).toEqual(
        columns.map(([name, { type, isText }]) => [name, type, isText === true]),
      )
    }
  })

  test('asks over several machines, and counts a session once that two of them have', async () => {
    const home = smallHome('first')
    const out = join(folder, 'shared', 'tables')
    for (const name of ['first', 'second']) {
      if (name === 'second') writeSession(home, '2026-11-09', 'Only here', 'npm start')
      const args = [
        'export',
        '--format',
        'parquet',
        '--out',
        out,
        '--home',
        home,
        '--machine',
        name,
        ...placesOf(name),
      ]
      expect((await runProgram(args)).code).toBe(0)
    }
    const blocks = [...PAGE.matchAll(/```sql\n(.*?)```/gs)].map(([, block = '']) =>
      block.replaceAll("'tables/", `'${out}/`),
    )
    const answers: Row[][] = []
    for (const block of blocks)
      if (block.startsWith('CREATE')) await duckdb.run(block)
      else answers.push(await query(block.replace('HAVING count(*) >= 20 ', '')))
    const [byMonth, tools, cached, verdicts] = answers
    expect(byMonth?.map(({ month, sessions }) => [month, sessions])).toEqual([
      ['2026-10', 1],
      ['2026-11', 1],
      ['2026-11', 1],
    ])
    expect(tools).toMatchObject([{ tool: 'run_shell_command', calls: 3 }])
    expect(cached).toEqual([{ model: 'gemini-2.5-pro', requests: 3, cached_percent: 10 }])
    expect(verdicts?.reduce((sum, { sessions }) => sum + Number(sessions), 0)).toBe(3)
  })
})
