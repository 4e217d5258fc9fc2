import { expect, test } from 'vitest'
import { openTestServer } from './open-test-server.ts'
import { inLines, useQuietHome } from './quiet-home.ts'

const place = useQuietHome()

const ID = 'aaaa1111-0000-4000-8000-000000000001'
const time = (second: number) => `2026-03-01T10:00:0${second}.000Z`
const inline = (mimeType: string) => ({ inlineData: { mimeType, data: 'aGVsbG8=' } })
const response = (id: string, parts?: unknown) => ({
  functionResponse: { id, name: 'see', response: { output: `Saw ${id}` }, ...(parts ? { parts } : {}) },
})
const call = (id: string, result: unknown) => ({
  id,
  name: 'see',
  args: {},
  status: 'success',
  timestamp: time(2),
  result,
})

/** In the result itself, beside it, before it, as a reference, and only in the turn that passes it to the model. */
const calls = [
  call('c1', [response('c1', [inline('image/png')])]),
  call('c2', [response('c2'), inline('application/pdf'), { text: 'Two pages.' }]),
  call('c3', [inline('audio/wav'), response('c3')]),
  call('c4', [response('c4', { fileData: { mimeType: 'video/mp4', fileUri: 'gs://bucket/film.mp4' } })]),
  call('c5', [response('c5')]),
]
const MEDIA = ['image/png', 'application/pdf', 'audio/wav', 'video/mp4', 'image/webp']

test('M4: pictures, documents and sound in results of tools are named wherever a conversation is written', async () => {
  place.write(
    'tmp/shop/chats/session-2026-03-01T10-00-aaaa1111.jsonl',
    inLines(
      { sessionId: ID, projectHash: 'f'.repeat(64), startTime: time(0), lastUpdated: time(5) },
      { id: 'p', timestamp: time(1), type: 'user', content: [{ text: 'See' }, inline('image/gif')] },
      { id: 'g', timestamp: time(2), type: 'gemini', content: 'Seen.', toolCalls: calls },
      {
        id: 'r',
        timestamp: time(3),
        type: 'user',
        content: [...calls.flatMap(({ id }) => response(id)), inline('image/webp')],
      },
    ),
  )
  const missing = (text: string) => MEDIA.filter((type) => !text.includes(type))

  for (const depth of ['tools', 'all']) {
    const { stdout } = await place.run('show', ID, '--depth', depth)
    expect([depth, missing(stdout)]).toEqual([depth, []])
    expect(stdout).toContain('[image image/png, 5 B]')
    expect(stdout).toContain('Two pages.')
  }
  expect(missing((await place.run('export', ID, '--format', 'markdown')).stdout)).toEqual([])
  const { stdout: handover } = await place.run('handover', ID)
  for (const given of ['returned an image', 'returned audio', 'returned a file'])
    expect(handover).toContain(given)

  const server = await openTestServer({ home: place.home })
  try {
    for (const as of ['markdown', 'text']) {
      const address = `http://127.0.0.1:${server.port}/api/sessions/${ID}/transcript?as=${as}&redact=off`
      const answer = await fetch(address, { headers: { cookie: server.cookie } })
      const { text } = (await answer.json()) as { text: string }
      expect([as, missing(text)]).toEqual([as, []])
    }
  } finally {
    await server.close()
  }
})
