import { describe, expect, it } from 'vitest'
import { Problems } from './problems.ts'
import { parseSessionFile } from './session-file.ts'

const METADATA = '{"sessionId":"s","projectHash":"p","startTime":"2026-11-21T20:30:00.000Z"}'

describe('what one file can add to the report is bounded', () => {
  it('names a hundred issues of a kind and counts the rest', () => {
    const problems = new Problems()
    for (let line = 1; line <= 5_000; line++) problems.addIssue('bad-line', `line ${line}`)
    problems.addIssue('torn-tail', 'line 5001')
    expect(problems.issues).toHaveLength(102)
    expect(problems.issues[100]).toEqual({ code: 'bad-line', at: '', args: {}, count: 4_900 })
  })

  it('names a hundred unknown names and counts the rest', () => {
    const problems = new Problems()
    for (let n = 0; n < 1_000; n++) problems.addDrift('message', `field${n}`, 'line 1')
    expect(problems.drift).toHaveLength(101)
    expect(problems.drift[100]).toMatchObject({ where: 'message', name: '(others)', count: 900 })
  })

  it('cuts and escapes hostile names, and keeps __proto__ a name', () => {
    const problems = new Problems()
    const names = ['x'.repeat(10_000), 'a\u0007b', '\u202Egnp', '\uD800', '', '__proto__', '漢字']
    problems.addUnknownNames(
      'tokens',
      JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:1`)}}`),
      new Set(),
      '',
    )
    expect(problems.drift.map(({ name }) => name)).toEqual([
      `${'x'.repeat(64)}…`,
      'a\\u{7}b',
      '\\u{202e}gnp',
      '\\u{d800}',
      '(empty)',
      '__proto__',
      '漢字',
    ])
  })
})

describe('format drift', () => {
  it.each([
    ['record', '$merge', '{"$merge":{}}'],
    ['metadata', 'source', '{"sessionId":"s","projectHash":"p","source":"x"}'],
    ['metadata.kind', 'background', '{"$set":{"kind":"background"}}'],
    ['$set', 'flavour', '{"$set":{"flavour":1}}'],
    ['$patch', 'moveIds', '{"$patch":{"id":"a","moveIds":[]}}'],
    ['message', 'mood', '{"id":"b","type":"user","content":"x","mood":1}'],
    ['message.type', 'hint', '{"id":"b","type":"hint","content":"x"}'],
    ['part', 'hologram', '{"id":"b","type":"user","content":[{"hologram":1}]}'],
    ['part', 'tint', '{"id":"b","type":"user","content":[{"text":"x","tint":1}]}'],
    ['thought', 'mood', '{"id":"b","type":"gemini","content":"","thoughts":[{"subject":"s","mood":1}]}'],
    ['tokens', 'audio', '{"id":"b","type":"gemini","content":"","tokens":{"audio":1}}'],
    ['toolCall', 'cost', call('"cost":1')],
    ['toolCall.status', 'dreaming', call('"status":"dreaming"')],
    ['resultDisplay', 'panel,level', call('"resultDisplay":{"panel":1,"level":2}')],
    ['resultDisplay.diff', 'risk', call('"resultDisplay":{"fileDiff":"","fileName":"a","risk":1}')],
    ['resultDisplay.todos', 'owner', call('"resultDisplay":{"todos":[],"owner":1}')],
    ['resultDisplay.search', 'engine', call('"resultDisplay":{"summary":"s","matches":[],"engine":1}')],
    ['resultDisplay.list', 'depth', call('"resultDisplay":{"summary":"s","files":[],"depth":1}')],
    ['resultDisplay.text', 'more', call('"resultDisplay":{"summary":"s","more":1}')],
    ['resultDisplay.subagent', 'budget', call('"resultDisplay":{"isSubagentProgress":true,"budget":1}')],
  ])('in %s is noted: %s', (where, name, line) => {
    const text = `${METADATA}\n{"id":"a","type":"user","content":"hi"}\n${line}\n`
    const { drift } = parseSessionFile({ path: 'a.jsonl', bytes: new TextEncoder().encode(text) })
    expect(drift).toEqual([{ where, name, at: expect.stringContaining('line 3'), count: 1 }])
  })
})

function call(field: string): string {
  const others = field.includes('status') ? '' : '"status":"success",'
  return `{"id":"b","type":"gemini","content":"","toolCalls":[{"id":"c","name":"t","args":{},${others}${field}}]}`
}
