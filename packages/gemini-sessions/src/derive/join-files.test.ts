import { expect, it } from 'vitest'
import { answer, copyOf, jsonFile, logFile, prompt, type Row } from '../../test/make-file.ts'
import { joinFiles } from './merge.ts'

const HASH_FOLDER = `tmp/${'b'.repeat(64)}/chats`

it('takes copies of a sub-agent that has only got its task for one run', () => {
  const file = jsonFile({ start: 3, kind: 'subagent' }, [prompt('s1', 3, 'Look into it')])
  const copy = copyOf(file, { path: file.parsed.path.replace('tmp/shop/chats', HASH_FOLDER) })
  expect(joinFiles([file, copy])).toHaveLength(1)
})

it('takes messages without id for the same if they were said in the same millisecond', () => {
  const withoutId = ({ id: _, ...row }: Row) => row as Row
  const rows = [withoutId(prompt('p', 1, 'Say one')), withoutId(answer('a', 1))]
  const file = jsonFile({ start: 1 }, rows)
  const copy = jsonFile({ start: 2, path: 'shop/chats/session-copy.json' }, rows)
  const other = jsonFile({ start: 4 }, [withoutId(prompt('p', 4, 'Say one')), withoutId(answer('a', 4))])
  expect(joinFiles([file, other, copy])).toEqual([[file, copy], [other]])
})

it('joins sets that a later file connects', () => {
  const one = logFile({ start: 1 }, [prompt('p1', 1)])
  const two = logFile({ start: 2 }, [prompt('p2', 2)])
  const both = logFile({ start: 3 }, [prompt('p1', 1), prompt('p2', 2)])
  expect(joinFiles([one, two, both])).toEqual([[one, two, both]])
})

it('keeps apart what was born in the same moment but under another name', () => {
  const one = logFile({ start: 1, path: 'shop/chats/session-a.jsonl' }, [prompt('p1', 1, 'same')])
  const two = logFile({ start: 1, path: 'shop/chats/session-b.jsonl' }, [prompt('p2', 1, 'same')])
  expect(joinFiles([one, two])).toHaveLength(2)
})
