import { afterEach, expect, test, vi } from 'vitest'
import { fetchJson, fetchLines, fetchText } from './request.ts'

afterEach(() => vi.unstubAllGlobals())

const ask = async (answer: Response) => {
  vi.stubGlobal('fetch', async () => answer)
  const seen: unknown[] = []
  const last = await fetchLines<unknown>('/', new AbortController().signal, (line) => seen.push(line))
  return { seen, last }
}

test('every line is told, however the bytes are cut; the last one is the answer', async () => {
  const bytes = new TextEncoder().encode('{"total":1,"q":"é"}\n{"total":2}\n')
  const body = new ReadableStream({
    start(lines) {
      for (const [from, to] of [
        [0, 17],
        [17, 25],
        [25, bytes.length],
      ])
        lines.enqueue(bytes.subarray(from, to))
      lines.close()
    },
  })
  const { seen, last } = await ask(new Response(body))
  expect(seen).toEqual([{ total: 1, q: 'é' }, { total: 2 }])
  expect(last).toEqual({ total: 2 })
})

test('an answer that breaks off is none', async () => {
  const body = new ReadableStream({
    start(lines) {
      lines.enqueue(new TextEncoder().encode('{"total":1}\n'))
    },
    pull(lines) {
      lines.error(new TypeError('network error'))
    },
  })
  const [lines, others] = body.tee()
  const [json, text] = others.tee()
  const unreachable = { code: 'unreachable', message: expect.stringContaining('does not answer') }
  await expect(ask(new Response(lines))).rejects.toMatchObject(unreachable)
  vi.stubGlobal('fetch', async () => new Response(json))
  await expect(fetchJson('/')).rejects.toMatchObject(unreachable)
  vi.stubGlobal('fetch', async () => new Response(text))
  await expect(fetchText('/', new AbortController().signal)).rejects.toMatchObject(unreachable)
})

test('a refusal is told as any other', async () => {
  const refused = new Response('{"error":{"code":"bad-request","message":"No."}}', { status: 400 })
  await expect(ask(refused)).rejects.toMatchObject({ code: 'bad-request', message: 'No.' })
})
