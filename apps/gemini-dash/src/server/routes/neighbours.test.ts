import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  apiErrorSchema,
  type SessionNeighbours,
  sessionNeighboursSchema,
  sessionPath,
} from '@gemini-dash/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from '../../../test/open-test-server.ts'

const ID = '3e3ec711-6ede-4f92-b504-17853a236a5d'
/** 3 by 2 pixels; only its header. */
const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000300000002', 'hex')
const HUGE_BYTES = 200 * 1024 * 1024

let home: string
let server: TestServer

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'gemini-dash-beside-'))
  write('chats/session-2026-11-21T20-30-3e3ec711.jsonl', sessionText())
  write(`tool-outputs/session-${ID}/web_fetch_call-1.txt`, '<script>alert(1)</script>')
  truncateSync(write(`tool-outputs/session-${ID}/web_fetch_call-2.txt`, 'begin'), HUGE_BYTES)
  write('images/clipboard-1.png', PNG)
  write('images/clipboard-2.png', '<svg onload="alert(1)"/>')
  write('images/clipboard-3.png', 'of another session')
  write(`${ID}/plans/plan.md`, '# Plan')
  server = await openTestServer({ home })
})
afterAll(async () => {
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

function write(place: string, content: string | Uint8Array): string {
  const path = join(home, '.gemini/tmp/webshop', place)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

function sessionText(): string {
  const time = '2026-11-21T20:30:00.000Z'
  const calls = ['call-1', 'call-2'].map((id) => ({
    id,
    name: 'web_fetch',
    args: {},
    status: 'success',
    result: [],
  }))
  const prompt = '@x/images/clipboard-1.png @x/images/clipboard-2.png @x/images/clipboard-0.png'
  const rows = [
    { sessionId: ID, projectHash: '0'.repeat(64), startTime: time, lastUpdated: time },
    { id: 'u1', timestamp: time, type: 'user', content: [{ text: prompt }] },
    { id: 'g1', timestamp: time, type: 'gemini', content: 'So.', toolCalls: calls },
  ]
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

function get(path: string, method = 'GET'): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers: { cookie: server.cookie } })
}

async function neighbours(): Promise<SessionNeighbours> {
  const answer = await get(sessionPath('neighbours', ID))
  expect(answer.status).toBe(200)
  return sessionNeighboursSchema.parse(await answer.json())
}

async function fileNamed(name: string): Promise<string> {
  const { savedOutputs, images, plans } = await neighbours()
  const file = [...savedOutputs, ...images, ...plans].find((each) => each.file?.path.endsWith(name))?.file
  if (!file) throw new Error(`no ${name}`)
  return file.id
}

describe('the files beside a session', () => {
  test('are listed under any form of its key', async () => {
    const { savedOutputs, images, plans } = await neighbours()
    expect(savedOutputs.map(({ callId, file }) => [callId, file?.sizeBytes])).toEqual([
      ['call-1', 25],
      ['call-2', HUGE_BYTES],
    ])
    expect(images.map(({ name, file }) => [name, file !== null])).toEqual([
      ['clipboard-1.png', true],
      ['clipboard-2.png', true],
      ['clipboard-0.png', false],
    ])
    // from their bytes; the second is not a picture that a page displays
    expect(images.map(({ pixelSize }) => pixelSize)).toEqual([{ width: 3, height: 2 }, null, undefined])
    expect(plans.map(({ text }) => text)).toEqual(['# Plan'])
  })

  test('a picture is shown as what its bytes say', async () => {
    const answer = await get(
      sessionPath('neighbours/:fileId', ID, { fileId: await fileNamed('clipboard-1.png') }),
    )
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(PNG)
  })

  test.each(['web_fetch_call-1.txt', 'clipboard-2.png', 'plan.md'])(
    'R19: whatever is no picture is saved, not opened: %s',
    async (name) => {
      const answer = await get(sessionPath('neighbours/:fileId', ID, { fileId: await fileNamed(name) }))
      expect(answer.headers.get('content-type')).toBe('application/octet-stream')
      expect(answer.headers.get('content-disposition')).toBe('attachment')
      expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect((await answer.text()).length).toBeGreaterThan(0)
    },
  )

  test('only the beginning comes where a limit is asked for', async () => {
    const id = await fileNamed('web_fetch_call-1.txt')
    expect(await (await get(sessionPath('neighbours/:fileId', ID, { fileId: id, limit: 8 }))).text()).toBe(
      '<script>',
    )
    expect((await get(sessionPath('neighbours/:fileId', ID, { fileId: id, limit: 0 }))).status).toBe(400)
  })

  test('a huge file comes in pieces and is never held whole', async () => {
    const id = await fileNamed('web_fetch_call-2.txt')
    const before = process.memoryUsage()
    const answer = await get(sessionPath('neighbours/:fileId', ID, { fileId: id }))
    let receivedBytes = 0
    let mostBytes = 0
    for await (const piece of answer.body ?? []) {
      receivedBytes += piece.byteLength
      const { rss } = process.memoryUsage()
      mostBytes = Math.max(mostBytes, rss - before.rss)
    }
    expect(receivedBytes).toBe(HUGE_BYTES)
    expect(mostBytes).toBeLessThan(HUGE_BYTES / 2)
  })

  test('HEAD answers without a body', async () => {
    const answer = await get(
      sessionPath('neighbours/:fileId', ID, { fileId: await fileNamed('web_fetch_call-2.txt') }),
      'HEAD',
    )
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  test.each(['..%2f..%2fsettings.json', '%2Fetc%2Fpasswd', 'images%2Fclipboard-1.png', 'x', '%00'])(
    'nothing is there under a name or a path: %s',
    async (id) => {
      const answer = await get(`/api/sessions/${ID}/neighbours/${id}`)
      expect([answer.status, apiErrorSchema.parse(await answer.json()).error.code]).toEqual([
        404,
        'not-found',
      ])
    },
  )

  test('a file of another session has no address here', async () => {
    const id = await fileNamed('clipboard-1.png')
    const other = await get(`/api/sessions/nowhere/neighbours/${id}`)
    expect(other.status).toBe(404)
  })

  test('R23: what was replaced by a link since it was listed is not opened', async () => {
    const id = await fileNamed('plan.md')
    const path = join(home, `.gemini/tmp/webshop/${ID}/plans/plan.md`)
    rmSync(path)
    symlinkSync('/etc/hostname', path)
    expect((await get(sessionPath('neighbours/:fileId', ID, { fileId: id }))).status).toBe(404)
    rmSync(path)
    writeFileSync(path, '# Plan')
  })
})
