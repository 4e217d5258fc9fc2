import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { answer, at, info, logFile, prompt, type Row } from '../../test/make-file.ts'
import { readHome } from '../../test/read-home.ts'
import { type Waste, wasteSchema } from '../model/insights.ts'
import type { Session } from '../model/message.ts'
import { stitchGroup } from './stitch.ts'
import { WasteFinder } from './waste.ts'

function wasteOf(session: Session): Waste {
  const finder = new WasteFinder(session)
  finder.add(session.messages)
  return wasteSchema.parse(finder.finish(({ usage }) => usage.input))
}

let calls = 0

/** A call with its result; `failed` as marked by the CLI. */
function call(name: string, args: Record<string, unknown>, output = 'ok', failed = false) {
  calls += 1
  const id = `c${calls}`
  return {
    id,
    name,
    args,
    status: failed ? 'error' : 'success',
    timestamp: at(2),
    result: [{ functionResponse: { id, name, response: failed ? { error: output } : { output } } }],
  }
}

/** One answer per call, so that every call is in a separate message; a list is the calls of one answer. */
function waste(...steps: (ReturnType<typeof call> | ReturnType<typeof call>[] | Row)[]): Waste {
  const rows = steps.map((step, index) =>
    Array.isArray(step) || 'args' in step
      ? answer(`a${index}`, index + 2, { toolCalls: [step].flat() })
      : step,
  )
  const [session] = stitchGroup([logFile({ start: 1 }, [prompt('p0', 1), ...rows])])
  if (session === undefined) throw new Error('no session')
  return wasteOf(session)
}

const told = ({ findings }: Waste) =>
  findings.map(({ kind, subject, places }) => [
    kind,
    subject,
    places.map(({ messageKey, isExtra }) => (isExtra ? messageKey : `(${messageKey})`)).join(' '),
  ])

const read = (path: string, more: Record<string, unknown> = {}, text = 'x'.repeat(400)) =>
  call('read_file', { file_path: path, ...more }, text)
const edit = (path: string, failed = false) =>
  call(
    'replace',
    { file_path: path, old_string: `a${calls}`, new_string: 'b' },
    failed ? 'No match' : 'Done',
    failed,
  )
const shell = (command: string, output = 'fine') => call('run_shell_command', { command }, output)

describe('calls made again', () => {
  it('are found whatever the order of their arguments, with the tokens and price of all but the first', () => {
    const found = waste(
      call('grep_search', { pattern: 'total', path: 'src' }, 'y'.repeat(4_000)),
      call('grep_search', { path: 'src', pattern: 'total' }, 'y'.repeat(4_000)),
      call('grep_search', { pattern: 'total', path: 'src' }, 'y'.repeat(4_000)),
    )
    expect(told(found)).toEqual([['repeated-call', 'src', '(a0) a1 a2']])
    const [finding] = found.findings
    expect(finding?.tokens).toBeGreaterThanOrEqual(2_000)
    expect(finding?.tokens).toBeLessThan(2_030)
    expect(finding?.cost).toEqual({ usd: finding?.tokens, unpricedCalls: 0 })
    expect(found.tokens).toBe(finding?.tokens)
  })

  it('are work and no waste after an edit or another command', () => {
    expect(told(waste(shell('npm test'), edit('a.ts'), shell('npm test')))).toEqual([])
    expect(told(waste(shell('git status'), shell('git add .'), shell('git status')))).toEqual([])
    expect(told(waste(read('a.ts'), shell('npx prettier .'), read('a.ts')))).toEqual([])
  })

  it('are polling where their results differ', () => {
    const found = waste(
      shell('gh run list', 'queued'),
      shell('gh run list', 'running'),
      shell('gh run list', 'done'),
    )
    expect(told(found)).toEqual([['polled', 'gh run list', '(a0) a1 a2']])
  })

  it('are polling from the third on, and only while nobody else had a turn', () => {
    expect(told(waste(shell('npm test', '1.2 s'), shell('npm test', '1.3 s')))).toEqual([])
    const asked = waste(shell('ci', 'a'), prompt('p1', 9, 'and now?'), shell('ci', 'b'), shell('ci', 'c'))
    expect(told(asked)).toEqual([])
  })

  it('are no repeats where a person asked in between for a command, or declined the first', () => {
    expect(told(waste(shell('npm test'), prompt('p1', 9, 'I changed it'), shell('npm test')))).toEqual([])
    const declined = { ...shell('npm install'), status: 'cancelled' }
    expect(told(waste(declined, shell('npm install')))).toEqual([])
  })

  it('by tools of others are only told where a long answer shows that they looked', () => {
    const press = () => call('browser_press_key', { key: 'ArrowDown' }, 'ok')
    expect(told(waste(press(), press(), press()))).toEqual([])
    const issue = () => call('get_issue', { number: 7 }, 'long '.repeat(300))
    expect(told(waste(issue(), issue())).map(([kind]) => kind)).toEqual(['repeated-call'])
    expect(told(waste(issue(), press(), issue()))).toEqual([])
  })

  it('take the model calls that asked for nothing else', () => {
    const search = () => call('grep_search', { pattern: 'total' }, 'y'.repeat(400))
    const found = waste(search(), search(), [search(), read('a.ts')])
    expect(found.findings[0]?.rounds).toEqual({
      calls: 1,
      tokens: 115,
      cost: { usd: 100, unpricedCalls: 0 },
    })
    expect(found.rounds).toEqual(found.findings[0]?.rounds)
  })
})

describe('files read again', () => {
  it('are found by their lines', () => {
    const found = waste(
      read('src/a.ts'),
      read('src/a.ts', { start_line: 10, end_line: 20 }),
      read('src/b.ts', { offset: 0, limit: 100 }),
      read('src/b.ts', { offset: 100, limit: 100 }),
    )
    expect(told(found)).toEqual([['reread-file', 'src/a.ts', '(a0) a1']])
  })

  it('are work where the CLI showed only a part before, however it says so', () => {
    const status = 'Status: Showing lines 1-2000 of 5000 total lines.'
    const told = [
      `\nIMPORTANT: The file content has been truncated.\n${status}\n`,
      '[File content truncated: showing lines 1-2000 of 5000 total lines. Use offset/limit parameters to view more.]\n',
    ]
    for (const notice of told) {
      const shown = read('a.ts', {}, `${notice}text`)
      expect(waste(shown, read('a.ts', { start_line: 2_001, end_line: 4_000 })).findings).toEqual([])
      expect(waste(shown, read('a.ts', { start_line: 10, end_line: 20 })).findings).toHaveLength(1)
    }
  })

  it('are work after an edit of that file, not after one of another', () => {
    const part = { start_line: 1, end_line: 5 }
    expect(told(waste(read('a.ts'), edit('a.ts'), read('a.ts', part)))).toEqual([])
    expect(told(waste(read('a.ts'), edit('b.ts'), read('a.ts', part)))).toEqual([
      ['reread-file', 'a.ts', '(a0) a2'],
    ])
  })

  it('are work after a compression, and where a person may have changed them', () => {
    const snapshot = { ...prompt('s1', 9), content: [{ text: '<state_snapshot>short</state_snapshot>' }] }
    expect(told(waste(read('a.ts'), snapshot, read('a.ts')))).toEqual([])
    const part = { start_line: 1, end_line: 5 }
    expect(told(waste(read('a.ts'), prompt('p1', 9), read('a.ts', part)))).toEqual([])
    expect(told(waste(read('a.ts'), prompt('p1', 9), read('a.ts', {}, 'new')))).toEqual([])
    expect(told(waste(read('a.ts'), prompt('p1', 9), read('a.ts'))).map(([kind]) => kind)).toEqual([
      'repeated-call',
    ])
  })

  it('are work after a tool of others, which may have written them', () => {
    const generate = call('generate_code', { target: 'all' })
    expect(told(waste(read('a.ts'), generate, read('a.ts')))).toEqual([])
  })
})

describe('failures', () => {
  it('of edits are told with the try that came through', () => {
    const found = waste(edit('a.ts', true), read('a.ts'), edit('a.ts', true), edit('a.ts'))
    expect(told(found)).toEqual([['failed-edit', 'a.ts', 'a0 a2 (a3)']])
  })

  it('of an edit that was not tried again are none', () => {
    expect(told(waste(edit('a.ts', true), edit('b.ts')))).toEqual([])
    expect(told(waste(edit('a.ts', true), prompt('p1', 20), edit('a.ts')))).toEqual([])
  })

  it('of one tool in a row are a finding from the third on', () => {
    const fetch = (url: string) => call('web_fetch', { prompt: url }, 'timeout', true)
    expect(told(waste(fetch('1'), fetch('2')))).toEqual([])
    const found = waste(fetch('1'), fetch('2'), fetch('3'), shell('ls'))
    expect(found.findings.map(({ kind, tool, places }) => [kind, tool, places.length])).toEqual([
      ['failing-tool', 'web_fetch', 3],
    ])
  })

  it('of commands that ask different things are a search', () => {
    const no = (command: string) => call('run_shell_command', { command }, 'no', true)
    expect(told(waste(no('which node'), no('test -e a'), no('grep x a')))).toEqual([])
    expect(told(waste(no('npm i a'), no('npm i b'), no('npm i c'))).map(([kind]) => kind)).toEqual([
      'failing-tool',
    ])
  })

  it('that were told as notices are one run until the model answers', () => {
    const quota = (id: string, minutes: number) => ({
      ...info(id, minutes, 'You exhausted your daily quota.\nTry later.'),
      type: 'error',
    })
    const found = waste(quota('e1', 3), prompt('p1', 4), quota('e2', 5), shell('ls'), quota('e3', 8))
    expect(told(found)).toEqual([['error-run', 'You exhausted your daily quota. Try later.', '(e1) e2']])
    expect(found.findings[0]?.tokens).toBe(0)
  })
})

describe('cut outputs', () => {
  it('are told with the calls that asked for the rest', () => {
    const saved = '/home/u/.gemini/tmp/shop/tool-outputs/session-1/run_shell_command_1.txt'
    const found = waste(
      shell(
        'npm test',
        `Output too large. Showing the first 4000 characters. For full output see: ${saved}\nfail`,
      ),
      read(saved),
      shell(`tail -50 ${saved}`),
    )
    expect(told(found)).toEqual([['cut-output', 'npm test', '(a0) a1 a2']])
  })
})

describe('in every home', () => {
  it('places exist, and no call is extra twice', async () => {
    const homes = fileURLToPath(new URL('../../../../fixtures/homes', import.meta.url))
    const { sessions } = await readHome(...(await readdir(homes)).map((name) => `${homes}/${name}`))
    for (const session of sessions) {
      const { findings } = wasteOf(session)
      const extra = findings.flatMap(({ places }) => places.filter(({ isExtra }) => isExtra))
      expect(new Set(extra.map(({ messageKey, callId }) => `${messageKey} ${callId}`)).size).toBe(
        extra.length,
      )
      for (const { messageKey, offset } of findings.flatMap(({ places }) => places))
        expect(session.messages[offset]?.key).toBe(messageKey)
    }
  })
})
