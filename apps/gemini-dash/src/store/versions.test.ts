import type { SessionFile } from 'gemini-sessions'
import { expect, test } from 'vitest'
import { canBe, describeCli, isOlder } from './installed-cli.ts'

const written = (format: SessionFile['format']) => [
  {
    summary: {
      files: [
        {
          home: '/h',
          path: `tmp/p/chats/session-x.${format}`,
          sizeBytes: 1,
          format,
          role: 'current' as const,
        },
      ],
    },
  },
]
const describeInstalled = (version: string | null, format: SessionFile['format'] = 'jsonl') =>
  describeCli(version === null ? null : { version, path: '/x' }, written(format))

test.each([
  ['0.61.0', null],
  ['0.54.4', null],
  ['0.47.0', null],
  ['0.61.0-preview.1', null],
  [null, 'By the rules of Gemini CLI 0.61'],
  ['0.65.0', 'By the rules of Gemini CLI 0.61.0 (yours is newer: 0.65.0)'],
  ['0.61.1', 'By the rules of Gemini CLI 0.61.0 (yours is newer: 0.61.1)'],
  ['1.0.0', 'By the rules of Gemini CLI 0.61.0 (yours is newer: 1.0.0)'],
  [
    '0.62.0-nightly.20261101.abc',
    'By the rules of Gemini CLI 0.61.0 (yours is newer: 0.62.0-nightly.20261101.abc)',
  ],
  ['0.44.0', 'By the rules of Gemini CLI 0.61.0 (yours is older: 0.44.0)'],
])('T7: with %s installed a warning says whose rules it is by', (version, byRules) => {
  expect(describeInstalled(version).byRules).toBe(byRules)
})

test('T7: files that are newer than the installed version show that another one is used', () => {
  const { byRules, writtenBy, text } = describeInstalled('0.30.0')
  expect([byRules, writtenBy]).toEqual(['By the rules of Gemini CLI 0.61', '0.39.0'])
  expect(text).toContain('Installed is 0.30.0, but 0.39.0 or newer wrote the newest files')
  expect(describeInstalled('0.30.0', 'json')).toMatchObject({
    byRules: expect.stringContaining('yours is older: 0.30.0'),
    writtenBy: null,
  })
})

test('T8: the newest version that is known is named, and the one that is installed', () => {
  expect(describeInstalled(null)).toMatchObject({
    known: '0.61.0',
    installed: null,
    text: 'This program knows Gemini CLI up to 0.61.0.',
  })
  expect(describeInstalled('0.61.0').text).toBe(
    'This program knows Gemini CLI up to 0.61.0. Installed is 0.61.0.',
  )
  expect(describeInstalled('0.65.0').text).toContain('Yours is newer: 0.65.0.')
})

test('what only a later version does is reckoned with where the version is not known', () => {
  const can = (installed: string | null, writtenBy: string | null = null) =>
    canBe({ installed, writtenBy }, '0.60.0')
  expect([can(null), can('0.60.0'), can('0.61.0'), can('0.59.9'), can('0.30.0', '0.39.0')]).toEqual([
    true,
    true,
    true,
    false,
    true,
  ])
})

test.each([
  ['0.9.0', '0.10.0', true],
  ['0.61.0', '0.61.0', false],
  ['0.62.0-preview.1', '0.61.0', false],
])('%s is older than %s: %s', (version, than, expected) => {
  expect(isOlder(version, than)).toBe(expected)
})
