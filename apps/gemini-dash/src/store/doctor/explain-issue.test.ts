import { readFileSync } from 'node:fs'
import { driftPlaces, parseIssueCodeSchema } from 'gemini-sessions'
import { describe, expect, it } from 'vitest'
import { explainIssue, ISSUE_TEXTS } from './build-doctor.ts'

const documentation = readFileSync(new URL('../../../../../docs/problems.md', import.meta.url), 'utf8')
const rowsOf = (heading: string) =>
  (documentation.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))

describe('every issue', () => {
  it('has a code, a text and a row in docs/problems.md, and they are the same', () => {
    expect(Object.keys(ISSUE_TEXTS)).toEqual(parseIssueCodeSchema.options)
    expect(rowsOf('Issues')).toEqual(
      Object.entries(ISSUE_TEXTS).map(
        ([code, { reason, advice }]) =>
          `| \`${code}\` | ${reason.replace(/\{(at|size)\}/g, '')} | ${advice} |`,
      ),
    )
  })

  it.each(parseIssueCodeSchema.options)(
    '%s is told in whole sentences, with its place where that helps',
    (code) => {
      for (const at of ['', 'line 12']) {
        const sentence = explainIssue({ code, at, args: {} })
        expect(sentence).toMatch(/^[A-Z][^{}]+\.$/)
        expect(sentence.includes('(line 12)')).toBe(at !== '' && ISSUE_TEXTS[code].reason.includes('{at}'))
      }
      expect(ISSUE_TEXTS[code].advice).toMatch(/^[A-Z].+\.$/)
    },
  )

  it('B11: says how large a value is that is too large, where that is known', () => {
    const sentence = explainIssue({ code: 'too-large', at: 'line 3', args: { sizeBytes: 1_000_000_000 } })
    expect(sentence).toMatch(/^A value of 1 GB is too large to be shown in full \(line 3\)/)
  })

  it('says what the system said where that is known', () => {
    const args = { reason: 'The disk reports an error while reading this.' }
    expect(explainIssue({ code: 'unreadable', at: '', args })).toBe(args.reason)
  })
})

it('every place of format drift has a row in docs/problems.md', () => {
  expect(rowsOf('Format drift')).toEqual(
    Object.entries(driftPlaces).map(([where, meaning]) => `| \`${where}\` | ${meaning} |`),
  )
})
