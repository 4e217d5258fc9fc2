import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ExportReview, exportReviewSchema } from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fixtureHome, openTestServer, type TestServer } from '../../test/open-test-server.ts'
import { runProgram, startProgram } from '../../test/run-program.ts'
import { vacRecordSchema } from '../../test/vac-record.ts'

const GITHUB = `ghp_${'a1B2c3D4e5F6g7H8i9'.repeat(2)}`
const GOOGLE = `AIza${'Sy0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV'}`
const SECRETS = [GITHUB, GOOGLE, 'hunter2-and-more', 'anna@shop.dev', '/home/anna', `//${hostname()}:8080`]
const PROMPT = `Use ${GITHUB} and anna@shop.dev in /home/anna/shop, log: http://${hostname()}:8080/ <script>x</script>`

let folder: string
let home: string
let server: TestServer
let key: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gemini-dash-export-'))
  home = join(folder, 'home')
  cpSync(fixtureHome('0.61.0'), home, { recursive: true })
  writeFileSync(
    join(home, '.gemini/tmp/webshop/chats/session-2026-11-22T10-00-5ec4e7.jsonl'),
    sessionWithSecrets(),
  )
  server = await openTestServer({ home })
  const { sessions } = await getJson<{ sessions: { key: string; sessionId: string }[] }>(
    '/api/sessions?limit=100',
  )
  key = sessions.find(({ sessionId }) => sessionId.startsWith('5ec4e7'))?.key ?? ''
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

function sessionWithSecrets(): string {
  const time = (second: number) => `2026-11-22T10:00:0${second}.000Z`
  const head = {
    sessionId: '5ec4e700-aaaa-4bbb-8ccc-000000000001',
    projectHash: 'f'.repeat(64),
    startTime: time(0),
    lastUpdated: time(3),
    kind: 'main',
  }
  const call = {
    id: 'call-1',
    name: 'run_shell_command',
    args: { command: 'env', password: 'hunter2-and-more' },
    status: 'success',
    timestamp: time(2),
    result: [
      {
        functionResponse: {
          id: 'call-1',
          name: 'run_shell_command',
          response: { output: `KEY=${GOOGLE}\n=cmd|' /C calc'!A0\n\`\`\`` },
        },
      },
    ],
  }
  const picture = { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
  const records = [
    head,
    { id: 'p1', timestamp: time(1), type: 'user', content: [{ text: PROMPT }, picture] },
    {
      id: 'g1',
      timestamp: time(2),
      type: 'gemini',
      content: 'Done.',
      model: '=HYPERLINK("x")',
      thoughts: [],
      tokens: { input: 10, output: 2, cached: 0, thoughts: 0, tool: 0, total: 12 },
      toolCalls: [call],
    },
  ]
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

const get = (path: string) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { cookie: server.cookie } })
async function getJson<Answer>(path: string): Promise<Answer> {
  return (await get(path)).json() as Promise<Answer>
}
const exported = async (query: string) => (await get(`/api/sessions/${key}/export?${query}`)).text()
const run = (...args: string[]) =>
  runProgram(['export', ...args, '--home', home, '--cache-dir', join(folder, 'cache')])

describe('R22: what leaves', () => {
  test.each(['markdown', 'vac'])(
    '%s holds no secret and nothing that names a person, unless it is asked for',
    async (format) => {
      const text = await exported(`format=${format}`)
      expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([])
      expect(text).toContain('[redacted: GitHub token]')
      expect(text).not.toContain('iVBORw0KGgo')
      const whole = await exported(`format=${format}&redact=off`)
      expect(SECRETS.filter((secret) => !whole.includes(secret))).toEqual([])
    },
  )

  test('json, jsonl and raw are what was recorded, unless redaction is asked for', async () => {
    for (const format of ['json', 'jsonl', 'raw'])
      expect(await exported(`format=${format}`)).toContain(GITHUB)
    const clean = await exported('format=json&redact=on')
    expect(SECRETS.filter((secret) => clean.includes(secret))).toEqual([])
    JSON.parse(clean)
    expect((await get(`/api/sessions/${key}/export?format=raw&redact=on`)).status).toBe(400)
  })

  test('of a file that was deleted a moment ago what has to be read of it is refused in a sentence', async () => {
    const path = join(home, '.gemini/tmp/webshop/chats/session-2026-11-22T10-00-5ec4e7.jsonl')
    renameSync(path, `${path}.away`)
    const refused = await Promise.all(
      ['raw', 'vac'].map((format) => get(`/api/sessions/${key}/export?format=${format}`)),
    )
    renameSync(`${path}.away`, path)
    // the rejected requests scanned the home before it had this file
    server.lookAgain()
    await expect.poll(async () => (await get(`/api/sessions/${key}`)).status).toBe(200)
    for (const answer of refused)
      expect([answer.status, await answer.text()]).toEqual([
        410,
        expect.stringContaining('just deleted or renamed'),
      ])
    expect(server.problems).toEqual([])
  })

  test('the review counts what the export replaces, and each change and kind can be switched off', async () => {
    const review = exportReviewSchema.parse(
      await getJson<ExportReview>(`/api/sessions/${key}/export/review?format=vac`),
    )
    const count = (kind: string) => review.changes.find((change) => change.kind === kind)?.count ?? 0
    expect(['secret', 'home', 'host', 'email'].filter((kind) => count(kind) === 0)).toEqual([])
    const marks: [string, RegExp][] = [
      ['secret', /\[redacted: /g],
      ['email', /\[e-mail\]/g],
      ['host', /\[host\]/g],
    ]
    const text = await exported('format=vac')
    for (const [kind, mark] of marks) expect([kind, text.match(mark)?.length]).toEqual([kind, count(kind)])
    expect(review.leftOut).toEqual([{ what: 'content of pictures and attached files', count: 1 }])

    const token = review.changes.flatMap(({ examples }) => examples).find(({ value }) => value === GITHUB)
    expect(token).toMatchObject({
      before: expect.stringMatching(/Use $/),
      after: expect.stringMatching(/^ and /),
    })
    const kept = await exported(`format=vac&keep=${token?.id},email`)
    expect([kept.includes(GITHUB), kept.includes('anna@shop.dev'), kept.includes(GOOGLE)]).toEqual([
      true,
      true,
      false,
    ])
  })

  test('a whole transcript is copied without secrets, a message as it is, with how many it holds', async () => {
    type Copy = { text: string; redacted: number; secrets: number }
    const whole = await getJson<Copy>(`/api/sessions/${key}/transcript`)
    expect(SECRETS.filter((secret) => whole.text.includes(secret))).toEqual([])
    expect([whole.redacted > 4, whole.secrets]).toEqual([true, 0])
    const message = await getJson<Copy>(`/api/sessions/${key}/transcript?message=p1`)
    expect(message).toMatchObject({ text: expect.stringContaining(PROMPT), redacted: 0, secrets: 1 })
    const printed = await getJson<Copy>(`/api/sessions/${key}/transcript?redact=off`)
    expect(printed.text).toContain(GITHUB)
  })

  test('Markdown shows what was said instead of obeying it', async () => {
    const text = await exported('format=markdown')
    expect(text).toContain('&lt;script>x&lt;/script>')
    expect(text).toMatch(/^````\nKEY=/m)
    expect(text).toMatch(/^---\nid: "5ec4e700-/)
  })

  test('Markdown has the clocks of the zone that is asked for', async () => {
    expect(await exported('format=markdown&tz=Asia/Kathmandu')).toMatch(/^## You, 2026-11-22 15:45$/m)
    expect((await get(`/api/sessions/${key}/export?tz=Mars/Base`)).status).toBe(400)
  })
})

test('every session leaves as a record of the draft with all that was said, and as JSON that is what show prints', async () => {
  const out = join(folder, 'all')
  const args = ['--project', 'webshop', '--redact', 'off']
  expect((await run(...args, '--format', 'vac', '--out', `${out}/`)).code).toBe(0)
  expect((await run(...args, '--format', 'json', '--out', `${out}/`)).code).toBe(0)
  const records = readdirSync(out).filter((name) => name.endsWith('.vac.json'))
  expect(records.length).toBeGreaterThan(5)
  for (const name of records) {
    const text = readFileSync(join(out, name), 'utf8')
    vacRecordSchema.parse(JSON.parse(text))
    const { messages, session } = JSON.parse(readFileSync(join(out, name.replace('.vac', '')), 'utf8'))
    const said: string[] = messages.flatMap(
      (message: { content: { text?: string }[]; thoughts: { description: string }[] }) => [
        ...message.content.map((part) => part.text ?? ''),
        ...message.thoughts.map(({ description }) => description),
      ],
    )
    expect(said.filter((words) => !text.includes(JSON.stringify(words).slice(1, -1)))).toEqual([])
    expect(messages.length).toBe(session.counts.messages)
  }
})

describe('where it goes', () => {
  test.each<[string[], number, string]>([
    [['5ec4e7', '--format', 'docx'], 2, '--format: "docx" is not one of markdown'],
    [['5ec4e7', '--format', 'raw', '--redact', 'on'], 2, 'can’t be redacted'],
    [[], 2, 'Which sessions?'],
    [['nowhere'], 1, 'There is no session "nowhere".'],
    [['--project', 'webshop'], 2, 'stdout takes only one'],
    [['--project', 'elsewhere', '--out', 'x'], 1, 'No session matches'],
  ])('%j ends with %i', async (args, expected, sentence) => {
    const { code, stdout, stderr } = await run(...args)
    expect([code, stdout]).toEqual([expected, ''])
    expect(stderr).toContain(sentence)
  })

  test('what is there stays, unless it is forced; others beside it always', async () => {
    const place = join(folder, 'there')
    mkdirSync(place)
    const file = join(place, 's.md')
    writeFileSync(file, 'mine')
    expect(await run('5ec4e7', '--out', file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already exists'),
    })
    expect(readFileSync(file, 'utf8')).toBe('mine')
    writeFileSync(join(place, 'other.txt'), 'mine')
    expect((await run('5ec4e7', '--out', file, '--force')).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('redacted: true')
    expect(readdirSync(place).sort()).toEqual(['other.txt', 's.md'])
    expect((await run('5ec4e7', '--out', join(place, 'new'), '--force', '--project', 'webshop')).code).toBe(0)
  })

  test('R26: nothing is written into a home, whichever links lead there', async () => {
    const link = join(folder, 'innocent')
    symlinkSync(join(home, '.gemini'), link)
    const before = readdirSync(home, { recursive: true })
    for (const out of [join(home, '.gemini/out.md'), join(link, 'tmp/new/out.zip'), join(link, 'out.md')]) {
      expect(await run('5ec4e7', '--out', out)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is in the Gemini folder'),
      })
    }
    expect(readdirSync(home, { recursive: true })).toEqual(before)
  })

  test('several become a folder or a zip, each file once, and --json tells of them', async () => {
    const out = join(folder, 'several')
    const { code, stdout } = await run('--query', 'rounding', '--out', out, '--json')
    const { files } = JSON.parse(stdout) as { files: { path: string; sizeBytes: number }[] }
    expect([code, files.length]).toEqual([0, readdirSync(out).length])
    for (const { path, sizeBytes } of files) expect(readFileSync(path).length).toBe(sizeBytes)
    const zip = join(folder, 'all.zip')
    expect((await run('--project', 'webshop', '--format', 'raw', '--out', zip)).code).toBe(0)
    expect(readFileSync(zip).subarray(0, 4).toString('latin1')).toBe('PK\x03\x04')
  })

  test('pictures lie beside the Markdown that shows them, unless they are left out', async () => {
    const place = join(folder, 'pictures')
    expect((await run('5ec4e7', '--redact', 'off', '--out', `${place}/`)).code).toBe(0)
    const [pictures = '', text = ''] = readdirSync(place).sort()
    expect(readdirSync(join(place, pictures))).toEqual(['p1-1.png'])
    expect(
      readFileSync(join(place, pictures, 'p1-1.png'))
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    expect(readFileSync(join(place, text), 'utf8')).toContain(`](${pictures}/p1-1.png)`)
    expect((await run('5ec4e7', '--redact', 'off')).stdout).toContain('*image, image/png')
  })

  test('a disk that takes no more leaves nothing half written', async () => {
    const place = join(folder, 'full')
    mkdirSync(place)
    const limited = startProgram(
      [
        'export',
        '--project',
        'webshop',
        '--format',
        'raw',
        '--home',
        home,
        '--no-cache',
        '--out',
        join(place, 'x.zip'),
      ],
      {},
      inject('program'),
      ['bash', '-c', `trap '' XFSZ; ulimit -f 4; exec "$@"`, 'bash'],
    )
    expect(await limited.finished).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('could not be written'),
    })
    expect(readdirSync(place)).toEqual([])
  })

  test('one session goes to stdout, and what was taken out is told beside it', async () => {
    const { stdout, stderr } = await run('5ec4e7')
    expect(stdout).toContain('# Use ')
    expect(stderr).toContain('Redacted in ')
  })
})

test.each(['markdown', 'html', 'raw', 'json', 'parquet', 'zip'])(
  'nothing is written as %s into any .gemini folder, whichever home is read',
  async (format) => {
    const other = join(folder, `other-${format}`)
    const inside = join(other, '.gemini')
    mkdirSync(join(inside, 'tmp'), { recursive: true })
    symlinkSync(join(inside, 'tmp'), join(other, 'link'))
    const elsewhere = join(folder, `elsewhere-${format}`)
    mkdirSync(elsewhere)
    mkdirSync(join(other, 'linked'))
    symlinkSync(elsewhere, join(other, 'linked', '.gemini'))
    const ending = format === 'zip' ? '.zip' : ''
    const what = format === 'parquet' ? [] : ['--project', 'webshop']
    const form = format === 'zip' ? [] : ['--format', format]
    for (const target of [
      join(inside, `out${ending}`),
      join(inside, 'a', '.gemini', `out${ending}`),
      join(other, 'link', `out${ending}`),
      join(other, 'linked', '.gemini', `out${ending}`),
    ]) {
      const { code, stdout, stderr } = await run(...what, ...form, '--out', target)
      expect([code, stdout, stderr]).toEqual([
        1,
        '',
        `${target} is in a .gemini folder, where gemini-dash writes no exports.\nChoose a folder somewhere else with --out.\n`,
      ])
    }
    expect(readdirSync(inside, { recursive: true })).toEqual(['tmp'])
    expect(readdirSync(elsewhere)).toEqual([])
  },
)
