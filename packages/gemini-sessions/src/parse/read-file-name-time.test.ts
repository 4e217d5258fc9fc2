import { expect, it } from 'vitest'
import { readFileNameTime } from './session-file.ts'

it.each([
  ['tmp/shop/chats/session-2026-11-21T20-30-7ff5e7ae.json', '2026-11-21T20:30:00.000Z'],
  ['tmp/shop/chats/session-2026-11-21T20-30-a2a-serv.jsonl', '2026-11-21T20:30:00.000Z'],
  ['session-2026-11-21T20-30.jsonl', '2026-11-21T20:30:00.000Z'],
  ['session-1795293056000-7ff5e7ae.jsonl', '2026-11-21T20:30:56.000Z'],
  ['session-2026-13-41T20-30-7ff5e7ae.json', null],
  ['chats/8e062276-dead-4001-85a1-a253202a087c/nhiq2f.json', null],
  ['session-99-x.json', null],
])('%s', (path, time) => {
  expect(readFileNameTime(path)).toBe(time)
})
