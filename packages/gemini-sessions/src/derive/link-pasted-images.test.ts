import { expect, it } from 'vitest'
import { parseSessionFile } from '../parse/session-file.ts'
import { linkPastedImages } from './link-saved-outputs.ts'

const FILE = {
  id: 'f',
  home: '/home/mia/.gemini',
  path: 'tmp/webshop/images/clipboard-1769500000000.png',
  sizeBytes: 9,
  modifiedTime: '2026-03-01T10:00:00.000Z',
}

function linksOf(content: unknown) {
  const messages = [{ id: 'u1', timestamp: '2026-03-01T10:00:00.000Z', type: 'user', content }]
  const document = { sessionId: 's', projectHash: '0'.repeat(64), messages }
  const bytes = new TextEncoder().encode(JSON.stringify(document))
  return linkPastedImages(parseSessionFile({ path: 'tmp/webshop/chats/session-a.json', bytes }).messages, [
    FILE,
  ])
}

it.each([
  '@../../.gemini/tmp/webshop/images/clipboard-1769500000000.png what is wrong here?',
  'See @/home/mia/.gemini/tmp/webshop/images/clipboard-1769500000000.png.',
  '@/home/Mia\\ K/.gemini/tmp/webshop/images/clipboard-1769500000000.png',
  '@"C:\\Users\\Mia K\\.gemini\\tmp\\webshop\\images\\clipboard-1769500000000.png"',
])('a prompt that names a pasted picture is linked with its file: %s', (text) => {
  expect(linksOf([{ text }])).toEqual([{ name: 'clipboard-1769500000000.png', messageKey: 'u1', file: FILE }])
})

it('a picture that is not there any more is said to be gone', () => {
  expect(linksOf('@x/images/clipboard-1.png and @x/images/clipboard-1.png')).toEqual([
    { name: 'clipboard-1.png', messageKey: 'u1', file: null },
  ])
})

it('a picture that the record itself holds is not shown a second time', () => {
  const picture = { inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } }
  expect(linksOf([{ text: '@x/images/clipboard-1769500000000.png' }, picture])).toEqual([])
})

it('other pictures and words are no pasted ones', () => {
  expect(linksOf('@docs/images/logo.png, images/clipboard-1.png, me@x.org/images')).toEqual([])
})
