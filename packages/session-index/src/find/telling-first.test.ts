import { expect, it } from 'vitest'
import { makeMessage, makeToolCall } from '../../test/make-session.ts'
import type { IndexTree } from '../query/tree.ts'
import { fieldPieces } from '../text.ts'
import { tellingFirst } from './hits.ts'

const message = makeMessage({
  key: 'm',
  type: 'gemini',
  toolCalls: [
    makeToolCall({
      name: 'read_file',
      args: { file_path: 'src/a.ts' },
      output: { kind: 'text', text: 'let a' },
    }),
    makeToolCall({
      name: 'replace',
      args: { file_path: 'src\\b.ts', old_string: 'x' },
      output: { kind: 'error', text: 'Not found' },
      failed: true,
    }),
    makeToolCall({ name: 'replace', args: { file_path: 'src/c.ts' }, output: { kind: 'empty' } }),
    makeToolCall({
      name: 'write_file',
      args: { file_path: 'src/d.ts' },
      display: {
        kind: 'diff',
        fileName: 'd.ts',
        filePath: null,
        isNewFile: true,
        fileDiff: '+let d',
        originalContent: null,
        newContent: null,
        linesAdded: 1,
        linesRemoved: 0,
        isRebuilt: false,
      },
    }),
    makeToolCall({
      name: 'screenshot',
      args: { page: 'cart' },
      extraParts: [
        { kind: 'image', mimeType: 'image/png', data: null, uri: null, href: null, sizeBytes: 10 },
      ],
    }),
  ],
})

const first = (tree: IndexTree, field: string) =>
  tellingFirst(
    fieldPieces(message).filter((piece) => piece.field === field),
    tree,
    message,
  )[0]?.text

it.each<[string, IndexTree, string, string]>([
  ['tool:replace', { kind: 'tools', names: ['replace'] }, 'tool-args', 'src\\b.ts'],
  ['file:b.ts', { kind: 'file', pattern: 'b.ts' }, 'tool-args', 'src\\b.ts'],
  ['is:error', { kind: 'is', what: 'error' }, 'tool-output', 'Not found'],
  [
    'tool:replace file:c.ts',
    {
      kind: 'and',
      of: [
        { kind: 'tools', names: ['replace'] },
        { kind: 'file', pattern: 'c.ts' },
      ],
    },
    'tool-args',
    'src/c.ts',
  ],
  ['C14: has:diff', { kind: 'has', what: 'diff' }, 'tool-args', 'src/d.ts'],
  ['C14: has:image', { kind: 'has', what: 'image' }, 'tool-args', 'cart'],
  ['tokens:>5', { kind: 'tokens', compare: '>', value: 5 }, 'tool-args', 'src/a.ts'],
  ['-tool:read_file', { kind: 'not', of: { kind: 'tools', names: ['read_file'] } }, 'tool-args', 'src/a.ts'],
])('%s is shown by the text that it asks for', (_, tree, field, text) => {
  expect(first(tree, field)).toBe(text)
})
