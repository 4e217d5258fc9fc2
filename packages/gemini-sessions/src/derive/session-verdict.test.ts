import { describe, expect, it } from 'vitest'
import { answer, at, info, jsonFile, logFile, prompt, type Row, rawFile } from '../../test/make-file.ts'
import type { SessionSummary } from '../model/session-summary.ts'
import { verdictSchema } from '../model/session-summary.ts'
import { failedCallsSentence } from './failure.ts'
import type { StitchFile } from './files.ts'
import { stitchGroup } from './stitch.ts'
import { summarizeSession } from './summary.ts'
import { runningVerdict } from './verdict.ts'

function rowOf(file: StitchFile, kind?: 'checkpoint') {
  const [session] = stitchGroup([file])
  if (session === undefined) throw new Error('no session')
  const project = { key: 'k', name: 'shop', path: null }
  return summarizeSession(kind === undefined ? session : { ...session, kind }, {
    project,
    priceCall: () => 1,
  })
}

function verdictOf(file: StitchFile) {
  return verdictSchema.parse(rowOf(file).verdict)
}

const judged = ({ kind, text, messageKey }: ReturnType<typeof verdictOf>) => [kind, text, messageKey]
const ended = (...rows: Row[]) => verdictOf(jsonFile({ start: 1 }, [prompt('p1', 1), ...rows]))
const said = (content: string) => ended(answer('a1', 2, { content })).text
const log = (...rows: Parameters<typeof logFile>[1]) => verdictOf(logFile({ start: 1 }, rows))
const lessOf = ({ ended: end, outcome }: SessionSummary) => [end, outcome?.kind, outcome?.fate]

function call(id: string, name: string, args: object, fields: Record<string, unknown> = {}) {
  const response = { output: 'ok' }
  const result = [{ functionResponse: { id, name, response } }]
  return { id, name, args, status: 'success', timestamp: at(2), result, ...fields }
}
const shell = (command: string, fields: Record<string, unknown> = {}) =>
  call('c1', 'run_shell_command', { command }, fields)
const cancelled = (id: string, name: string, reason: string) => ({
  status: 'cancelled',
  result: [
    { functionResponse: { id, name, response: { error: `[Operation Cancelled] Reason: ${reason}` } } },
  ],
})
const error = (id: string, minutes: number, said: string) => ({ ...info(id, minutes, said), type: 'error' })

let ids = 0
/** An answer that ran a command. */
function run(command: string, exitCode: number, fields: Record<string, unknown> = {}) {
  const id = `run-${++ids}`
  const output = `Output: x${exitCode === 0 ? '' : `\nExit Code: ${exitCode}`}`
  const result = [{ functionResponse: { id, name: 'run_shell_command', response: { output } } }]
  const toolCalls = [{ ...shell(command, { id, result, timestamp: at(ids) }), ...fields }]
  return answer(`r${ids}`, ids, { content: '', toolCalls })
}
function edit(file: string, fields: Record<string, unknown> = {}) {
  const id = `run-${++ids}`
  const args = { file_path: file, old_string: 'a', new_string: 'b' }
  return answer(`r${ids}`, ids, { content: '', toolCalls: [call(id, 'replace', args, fields)] })
}
const end = () => answer('end', 900, { content: 'All works. Bye.' })

describe('a session that finished', () => {
  it('says the first sentence of its last answer, and leads there', () => {
    expect(
      judged(ended(answer('a1', 2, { content: 'First.' }), answer('a2', 3, { content: 'All works. Bye.' }))),
    ).toEqual(['finished', 'Finished. All works.', 'a2'])
  })

  it('says it without marks, heads, code and tables', () => {
    expect(said('# Result\n\nThe **fix** is in `src/a.ts`; see [the docs](http://x). More.')).toBe(
      'Finished. The fix is in src/a.ts; see the docs.',
    )
    expect(said('```ts\ncode()\n```\n- snake_case and *this* stay. No more.')).toBe(
      'Finished. snake_case and this stay.',
    )
    expect(said('已经修好了。请再看一下。')).toBe('Finished. 已经修好了。请再看一下。')
    expect(said('| a | b |\n|---|---|\n| 1 | 2 |')).toBe('Finished')
    expect(said('x'.repeat(10_000))).toHaveLength('Finished. '.length + 120)
    // an uninformative first sentence
    expect(said('Done. The total rounds once. Bye.')).toBe('Finished. Done. The total rounds once.')
  })

  it('is not told by what was taken back', () => {
    const rows = [prompt('p1', 1), answer('a1', 2, { content: 'Kept.' }), prompt('p2', 3)]
    expect(log(...rows, answer('a2', 4, { content: 'Gone.' }), { $rewindTo: 'p2' }).text).toBe(
      'Finished. Kept.',
    )
    expect(log(...rows, error('e', 4, '[API Error: fetch failed]'), { $rewindTo: 'p2' }).text).toBe(
      'Finished. Kept.',
    )
    // a command that failed in a rewound part
    expect(log(...rows, run('npm test', 1), { $rewindTo: 'p2' })).toMatchObject({
      kind: 'finished',
      open: null,
    })
  })

  it('had an error of the API, and asked again', () => {
    const refused = error('e1', 2, '[API Error: fetch failed]')
    expect(ended(refused, prompt('p2', 3), answer('a1', 4, { content: 'Mended.' })).text).toBe(
      'Finished. Mended.',
    )
    expect(ended(answer('a0', 2), refused, answer('a1', 4, { content: 'Mended.' })).kind).toBe('finished')
  })

  it('had a call that was declined, and did it another way', () => {
    const declined = call(
      'w',
      'write_file',
      { file_path: 'x' },
      cancelled('w', 'write_file', 'User denied execution.'),
    )
    const rows = [answer('a1', 2, { toolCalls: [declined] }), prompt('p2', 3, 'print it instead')]
    expect(ended(...rows, answer('a2', 4, { content: 'Printed.' })).text).toBe('Finished. Printed.')
  })
})

describe('a session that did not', () => {
  it('says what the API said, in short, also where a command of the CLI follows', () => {
    const of = (notice: string, ...rows: Row[]) => judged(ended(error('e1', 3, notice), ...rows))
    expect(of('[API Error: fetch failed]')).toEqual(['apiError', 'API error: fetch failed', 'e1'])
    expect(of('[API Error: fetch failed]', prompt('q', 4, '/stats'))[0]).toBe('apiError')
    const api = (code: number, status: string, message: string) =>
      of(`[API Error: ${JSON.stringify({ error: { code, status, message } })}]`)[1]
    expect(api(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.')).toBe(
      'API error: 429 quota exceeded',
    )
    expect(api(429, 'RESOURCE_EXHAUSTED', 'Too many requests.')).toBe('API error: 429 RESOURCE_EXHAUSTED')
  })

  it('says after what no reply came', () => {
    expect(judged(ended())).toEqual(['noReply', 'No reply after “prompt p1”', 'p1'])
    const tested = answer('a1', 2, { content: 'I will test it.', toolCalls: [shell('npm test')] })
    expect(judged(ended(tested))).toEqual(['noReply', 'No reply after `npm test`', 'a1'])
    expect(ended(tested, answer('a2', 3, { content: 'All pass.' })).text).toBe('Finished. All pass.')
    const waiting = shell('npm test', { status: 'executing', result: [] })
    expect(ended(answer('a1', 2, { content: '', toolCalls: [waiting] })).text).toBe(
      'No reply after `npm test`',
    )
  })

  it('says what was declined, and what was stopped', () => {
    const of = (name: string, args: object, reason: string) =>
      judged(
        ended(
          answer('a1', 2, {
            toolCalls: [call('c', name, args, { displayName: 'WriteFile', ...cancelled('c', name, reason) })],
          }),
        ),
      )
    expect(of('write_file', { file_path: 'x' }, 'User denied execution.')).toEqual([
      ...['declined', 'You declined WriteFile (x)', 'a1'],
    ])
    expect(of('run_shell_command', { command: 'rm -r .' }, 'User denied execution.')[1]).toBe(
      'You declined `rm -r .`',
    )
    expect(of('run_shell_command', { command: 'npm test' }, 'User cancelled operation').slice(0, 2)).toEqual([
      ...['stopped', 'Stopped: `npm test`'],
    ])
    expect(judged(ended(info('n', 3, 'Request cancelled.')))).toEqual(['stopped', 'Stopped', 'n'])
  })

  it('N10: of a sub-agent has finished only where it says so', () => {
    const of = (name: string) =>
      judged(
        verdictOf(
          jsonFile({ start: 1, fields: { kind: 'subagent' } }, [
            prompt('p1', 1),
            answer('a1', 2, { content: '', toolCalls: [call('c', name, { file_path: 'x' })] }),
          ]),
        ),
      )
    expect(of('complete_task')).toEqual(['finished', 'Finished', null])
    expect(of('read_file')).toEqual(['noReply', 'No reply after read_file (x)', 'a1'])
  })

  it('N10: has not finished where the model was asked nothing', () => {
    const asked = jsonFile({ start: 1 }, [prompt('p1', 1, '/stats')])
    expect(judged(verdictOf(asked))).toEqual(['none', 'No answer is recorded', null])
    expect(lessOf(rowOf(asked))).toEqual([null, 'finished', undefined])
  })

  it('was cut in the middle of an answer', () => {
    const cut = info('n', 3, 'Response truncated due to token limits.')
    expect(judged(ended(answer('a1', 2), cut))).toEqual(['midAnswer', 'Stopped mid-answer', 'n'])
    expect(ended(answer('a1', 2), info('n', 3, 'Request cancelled.')).kind).toBe('midAnswer')
  })

  it('N10: has no reply after thoughts, which do not show that an answer had begun', () => {
    const thoughts = [{ subject: 'Plan', description: 'I think', timestamp: at(2) }]
    const silent = answer('a1', 2, { content: '', thoughts })
    expect(judged(ended(silent))).toEqual(['noReply', 'No reply after thinking', 'a1'])
    expect(ended(silent, info('n', 3, 'Request cancelled.')).kind).toBe('stopped')
  })

  it('has no messages, or nothing that could end', () => {
    expect(judged(verdictOf(jsonFile({ start: 1 }, [])))).toEqual(['empty', 'No messages', null])
    const saved = rowOf(jsonFile({ start: 1 }, [prompt('p1', 1), end()]), 'checkpoint')
    expect(saved.verdict).toMatchObject({ kind: 'none', text: 'Saved chat' })
    expect(lessOf(saved)).toEqual([null, 'finished', undefined])
    const open = rowOf(jsonFile({ start: 1 }, [prompt('p1', 1), run('a', 1), end()]), 'checkpoint')
    expect(open.verdict?.kind).toBe('neverRerun')
  })
})

describe('a session whose file is damaged', () => {
  const lines = [
    { sessionId: 'x'.repeat(8), projectHash: 'a'.repeat(64), startTime: at(1) },
    prompt('p1', 1),
    answer('a1', 2),
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')

  it('says where it is cut, and what is shown of it', () => {
    const document = JSON.stringify({
      sessionId: 'x',
      startTime: at(1),
      messages: [prompt('p1', 1), answer('a1', 2), prompt('p2', 3)],
    })
    const cut = document.slice(0, document.indexOf('prompt p2'))
    const row = rowOf(rawFile({ start: 1 }, 'json', cut))
    expect(row.verdict).toMatchObject({
      kind: 'damaged',
      text: `Damaged file: cut off at byte ${cut.length}. Messages before that are shown; not counted in totals`,
    })
    expect(lessOf(row)).toEqual([null, 'empty', undefined])
    expect(verdictOf(rawFile({ start: 1 }, 'jsonl', '')).text).toBe('Damaged file: it is empty')
  })

  it('is not told from what stands before a torn end', () => {
    expect(verdictOf(rawFile({ start: 1 }, 'jsonl', `${text}{"id":"a2","type":"gem`)).text).toBe(
      'Damaged file: cut off in line 4. Messages before that are shown',
    )
    expect(verdictOf(rawFile({ start: 1 }, 'jsonl', `${text}\0\0\0\n`)).text).toBe(
      'Damaged file: line 4 can’t be read. Messages before that are shown',
    )
  })

  it('ends as its end tells where the damage is before it', () => {
    const [head = '', asked = '', answered = ''] = text.split('\n')
    const middle = [head, asked, '{"id":"lost","ty', answered, ''].join('\n')
    expect(judged(verdictOf(rawFile({ start: 1 }, 'jsonl', middle)))).toEqual([
      ...['finished', 'Finished. answer a1', 'a1'],
    ])
  })
})

describe('a session that is being written', () => {
  const running = (...rows: Row[]) => {
    const { kind, text, about } = runningVerdict(ended(...rows))
    return [kind, text, about]
  }

  it('says what it waits for', () => {
    expect(running()).toEqual(['running', 'Running: waiting for the model', null])
    const waiting = shell('npm test', { status: 'executing', result: [] })
    expect(running(answer('a1', 2, { content: '', toolCalls: [waiting] }))).toEqual([
      ...['running', 'Running: `npm test`', 'npm test'],
    ])
    expect(running(answer('a1', 2, { content: '' }))[1]).toBe('Running: a tool, or waiting for your approval')
    expect(running(run('npm test', 1), end())).toEqual(['running', 'Waiting for you', null])
  })

  it('is over where an error, a stop or a refusal says so', () => {
    expect(running(error('e1', 3, '[API Error: 429]'))[0]).toBe('apiError')
    expect(running(info('n', 3, 'Request cancelled.'))[0]).toBe('stopped')
    const declined = call('c', 'write_file', {}, cancelled('c', 'write_file', 'User denied execution.'))
    expect(running(answer('a1', 2, { toolCalls: [declined] }))[0]).toBe('declined')
    // the model receives it together with the result of the other
    const both = [{ ...declined, id: 'd' }, shell('ls')]
    expect(running(answer('a1', 2, { toolCalls: both }))[0]).toBe('running')
  })
})

describe('how many calls failed', () => {
  const failing = (id: string, command: string, exitCode: number) => ({
    ...shell(command),
    id,
    status: exitCode === 0 ? 'success' : 'error',
  })
  const sentence = (...calls: ReturnType<typeof failing>[]) => {
    const rows = calls.map((each, index) => answer(`a${index}`, index + 1, { toolCalls: [each] }))
    const [session] = stitchGroup([jsonFile({ start: 1 }, [prompt('p1', 1), ...rows])])
    return session && failedCallsSentence(session)
  }

  it('T1: is said with what became of them, and leads to the first', () => {
    expect(sentence(failing('c1', 'npm test', 0))).toBeNull()
    expect(sentence(failing('c1', 'ls', 0), failing('c2', 'npm test', 1))).toEqual({
      text: '1 failed, never rerun',
      messageKey: 'a1',
    })
    // a success of another command fixes nothing
    expect(sentence(failing('c1', 'a', 1), failing('c2', 'b', 1), failing('c3', 'b', 0))).toEqual({
      text: '2 failed: 1 later succeeded, 1 never rerun',
      messageKey: 'a0',
    })
    expect(sentence(failing('c1', 'a', 1), failing('c2', 'a', 1))?.text).toBe('2 failed, still failing')
  })
})

describe('T1: a session with failed commands', () => {
  it('has not finished while one still fails, whatever else passed later', () => {
    const verdict = ended(
      ...[run('npm run build', 0), edit('tsconfig.json'), edit('src/cart.ts'), edit('src/cart.ts')],
      ...[edit('src/no.ts', { status: 'error' }), run('npm run build', 1), edit('src/main.js')],
      ...[run('npm run build', 2), run('npm test', 0), run('npm run lint', 0), end()],
    )
    const last = ids - 2
    expect(judged(verdict)).toEqual([
      ...['stillFailing', 'Still failing: `npm run build` (exit 2)', `r${last}`],
    ])
    const place = (id: number) => ({ messageKey: `r${id}`, timestamp: at(id) })
    expect(verdict.open).toEqual({
      fate: 'stillFailing',
      text: verdict.text,
      command: 'npm run build',
      exitCode: 2,
      worked: place(last - 7),
      failed: place(last - 2),
      last: place(last),
      edits: { count: 3, files: ['tsconfig.json', 'src/cart.ts'] },
      passedLater: null,
      others: 0,
    })
    const two = ended(run('a', 1), run('a', 1), run('b', 0), run('b', 3), run('c', 1), end())
    expect([two.text, two.open?.edits]).toEqual([
      'Still failing: `b` (exit 3), and 1 more command',
      { count: 0, files: [] },
    ])
  })

  it('that never worked has no edits in between', () => {
    const { open } = ended(run('a', 1), edit('x'), run('a', 2), end())
    expect([open?.worked, open?.edits, open?.failed.messageKey]).toEqual([null, null, `r${ids - 2}`])
  })

  it('has not finished where one was never rerun', () => {
    expect(judged(ended(run('ls x', 2), run('ls', 0), end()))).toEqual([
      ...['neverRerun', '1 failed command was never rerun. Last: `ls x` (exit 2)', `r${ids - 1}`],
    ])
    expect(ended(run('ls x', 2), run('grep y z', 1), end()).text).toBe(
      '2 failed commands were never rerun. Last: `grep y z` (exit 1)',
    )
  })

  it('names a command that passed later only if the failed one is a form of it, it passed in its last run and came after', () => {
    const later = (...rows: Row[]) => ended(...rows, end()).open?.passedLater
    expect(later(run('npm test -- cart', 1), run('npm test', 0))).toBe('npm test')
    expect(later(run('npm test', 0), run('npm test -- cart', 1))).toBeNull()
    expect(later(run('npm test -- cart', 1), run('npm test -- tax', 0), run('npm run lint', 0))).toBeNull()
    expect(later(run('ls x', 1), run('ls', 0))).toBeNull()
    expect(later(run('npm test -- cart', 1), run('npm test', 0), run('npm test', 1))).toBeNull()
  })

  it('has finished where each of them later succeeded, and where one ran on in the background', () => {
    expect(judged(ended(run('a', 1), run('b', 1), run('b', 0), run('a', 0), end()))).toEqual([
      ...['finished', 'Finished. All works.', 'end'],
    ])
    const background = shell('npm start &', {
      id: 'bg',
      result: [
        {
          functionResponse: {
            id: 'bg',
            name: 'run_shell_command',
            response: { output: 'Command is running in background. PID: 1' },
          },
        },
      ],
    })
    expect(ended(answer('b', 2, { toolCalls: [background] }), end()).kind).toBe('finished')
  })

  it('ended as it ended, where its end was none of its own, and says what is open', () => {
    const refused = ended(run('a b', 1), error('e1', 999, '[API Error: fetch failed]'))
    expect(judged(refused)).toEqual(['apiError', 'API error: fetch failed', 'e1'])
    expect(refused.open?.text).toBe('1 failed command was never rerun. Last: `a b` (exit 1)')
    expect(ended(run('a', 1), run('b', 0)).kind).toBe('noReply')
  })

  it('depends on commands alone: a file that was not found is no command', () => {
    const read = call('r1', 'read_file', { file_path: 'x' }, { status: 'error' })
    expect(ended(answer('a', 2, { toolCalls: [read] }), end()).kind).toBe('finished')
  })

  it('says less of the same in the fields of before', () => {
    const less = (...rows: Row[]) => lessOf(rowOf(jsonFile({ start: 1 }, [prompt('p1', 1), ...rows])))
    expect(less(run('a', 1), run('a', 1), end())).toEqual([null, 'error', 'stillFailing'])
    expect(less(error('e1', 3, '[API Error: x]'))).toEqual(['error', 'error', undefined])
    expect(less()).toEqual([null, 'unanswered', undefined])
    expect(less(run('a', 0))).toEqual([null, 'stopped', undefined])
    expect(less(info('n', 3, 'Request cancelled.'))).toEqual(['stopped', 'stopped', undefined])
  })
})
