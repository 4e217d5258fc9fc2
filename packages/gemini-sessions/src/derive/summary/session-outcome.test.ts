import { describe, expect, it } from 'vitest'
import { answer, at, info, jsonFile, logFile, prompt, type Row } from '../../../test/make-file.ts'
import { failedCallsSentence } from '../failure/failed-calls.ts'
import type { StitchFile } from '../files/stitch-file.ts'
import { stitchGroup } from '../stitch/stitch-group.ts'
import { summarizeSession } from './summarize-session.ts'

function outcomeOf(file: StitchFile) {
  const [session] = stitchGroup([file])
  if (session === undefined) throw new Error('no session')
  const project = { key: 'k', name: 'shop', path: null }
  const { outcome } = summarizeSession(session, { project, priceCall: () => 1 })
  return [outcome?.kind, outcome?.text, outcome?.messageKey, ...(outcome?.fate ? [outcome.fate] : [])]
}

const ended = (...rows: Row[]) => outcomeOf(jsonFile({ start: 1 }, [prompt('p1', 1), ...rows]))
const said = (content: string) => ended(answer('a1', 2, { content }))[1]

function shell(command: string, fields: Record<string, unknown> = {}) {
  const response = { output: 'ok' }
  return {
    id: 'c1',
    name: 'run_shell_command',
    args: { command },
    status: 'success',
    timestamp: at(2),
    result: [{ functionResponse: { id: 'c1', name: 'run_shell_command', response } }],
    ...fields,
  }
}

describe('the verdict on a session', () => {
  it('is the first sentence of its last answer, and leads there', () => {
    expect(
      ended(answer('a1', 2, { content: 'First.' }), answer('a2', 3, { content: 'All works. Bye.' })),
    ).toEqual(['finished', 'Finished: All works.', 'a2'])
  })

  it('is said without marks, heads, code and tables', () => {
    expect(said('# Result\n\nThe **fix** is in `src/a.ts`; see [the docs](http://x). More.')).toBe(
      'Finished: The fix is in src/a.ts; see the docs.',
    )
    expect(said('```ts\ncode()\n```\n- snake_case and *this* stay. No more.')).toBe(
      'Finished: snake_case and this stay.',
    )
    expect(said('已经修好了。请再看一下。')).toBe('Finished: 已经修好了。请再看一下。')
    expect(said('| a | b |\n|---|---|\n| 1 | 2 |')).toBe('Finished')
    expect(said('x'.repeat(10_000))).toHaveLength('Finished: '.length + 120)
  })

  it('goes on where the first sentence says nothing', () => {
    expect(said('Done. The total rounds once. Bye.')).toBe('Finished: Done. The total rounds once.')
  })

  it('names the command that ran when it was stopped', () => {
    const running = shell('npm test', { status: 'cancelled', result: [] })
    expect(ended(answer('a1', 2, { content: '', toolCalls: [running] }))).toEqual([
      'stopped',
      'Stopped while `npm test` was running',
      'a1',
    ])
    const error = '[Operation Cancelled] Reason: User denied execution.'
    const denied = shell('rm -r .', {
      status: 'cancelled',
      result: [{ functionResponse: { id: 'c1', name: 'run_shell_command', response: { error } } }],
    })
    expect(ended(answer('a1', 2, { toolCalls: [denied] }))[1]).toBe('Stopped: you did not allow `rm -r .`')
  })

  it('is no good end where nothing answers a result', () => {
    const call = answer('a1', 2, { content: 'I will test it.', toolCalls: [shell('npm test')] })
    expect(ended(call)).toEqual(['stopped', 'Stopped after `npm test`: no answer followed', 'a1'])
    expect(ended(call, answer('a2', 3, { content: 'All pass.' }))[1]).toBe('Finished: All pass.')
  })

  it('says what the API said, in short', () => {
    const refused = { ...info('e1', 3, '[API Error: fetch failed]'), type: 'error' }
    expect(ended(refused)).toEqual(['error', 'Ended in an error: fetch failed', 'e1'])
  })

  it('is not told by what was taken back', () => {
    const rows = [prompt('p1', 1), answer('a1', 2, { content: 'Kept.' }), prompt('p2', 3)]
    const taken = [...rows, answer('a2', 4, { content: 'Gone.' }), { $rewindTo: 'p2' }]
    expect(outcomeOf(logFile({ start: 1 }, taken))[1]).toBe('Finished: Kept.')
  })
})

describe('how many calls failed', () => {
  const call = (id: string, command: string, exitCode: number) => ({
    ...shell(command),
    id,
    status: exitCode === 0 ? 'success' : 'error',
  })
  const sentence = (...calls: ReturnType<typeof call>[]) => {
    const rows = calls.map((each, index) => answer(`a${index}`, index + 1, { toolCalls: [each] }))
    const [session] = stitchGroup([jsonFile({ start: 1 }, [prompt('p1', 1), ...rows])])
    return session && failedCallsSentence(session)
  }

  it('T1: is said with what became of them, and leads to the first', () => {
    expect(sentence(call('c1', 'npm test', 0))).toBeNull()
    expect(sentence(call('c1', 'ls', 0), call('c2', 'npm test', 1))).toEqual({
      text: '1 failed, never rerun',
      messageKey: 'a1',
    })
    // a success of another command puts nothing right
    expect(sentence(call('c1', 'a', 1), call('c2', 'b', 1), call('c3', 'b', 0))).toEqual({
      text: '2 failed: 1 later succeeded, 1 never rerun',
      messageKey: 'a0',
    })
    expect(sentence(call('c1', 'a', 1), call('c2', 'a', 1))?.text).toBe('2 failed, still failing')
  })
})

describe('T1: a session with failed commands', () => {
  let ids = 0
  const run = (command: string, exitCode: number, fields: Record<string, unknown> = {}) => {
    const id = `run-${++ids}`
    const output = `Output: x${exitCode === 0 ? '' : `\nExit Code: ${exitCode}`}`
    const result = [{ functionResponse: { id, name: 'run_shell_command', response: { output } } }]
    return answer(`a${ids}`, ids, {
      content: '',
      toolCalls: [{ ...shell(command, { id, result }), ...fields }],
    })
  }
  const end = () => answer('end', 900, { content: 'All works. Bye.' })

  it('has not finished while one still fails, whatever else passed later', () => {
    const [kind, text, messageKey, fate] = ended(
      ...[
        run('npm run build', 0),
        run('npm run build', 2),
        run('npm run build', 2),
        run('npm test', 0),
        end(),
      ],
    )
    expect([kind, fate, text]).toEqual(['error', 'stillFailing', 'Still failing: `npm run build` (exit 2)'])
    expect(messageKey).toBe(`a${ids - 1}`)
    const two = ended(run('a', 1), run('a', 1), run('b', 0), run('b', 3), run('c', 1), end())
    expect(two[1]).toBe('Still failing: `b` (exit 3), and 1 more command')
  })

  it('has not finished where one was never rerun', () => {
    expect(ended(run('ls x', 2), run('ls', 0), end())).toEqual([
      ...['error', '1 failed command was never rerun. Last: `ls x` (exit 2)', `a${ids - 1}`, 'neverRerun'],
    ])
    expect(ended(run('ls x', 2), run('grep y z', 1), end())[1]).toBe(
      '2 failed commands were never rerun. Last: `grep y z` (exit 1)',
    )
  })

  it('has finished where each of them later succeeded', () => {
    expect(ended(run('a', 1), run('b', 1), run('b', 0), run('a', 0), end())).toEqual([
      ...['finished', 'Finished: All works.', 'end'],
    ])
  })

  it('ended as it ended, where its end was none of its own', () => {
    const refused = { ...info('e1', 999, '[API Error: fetch failed]'), type: 'error' }
    expect(ended(run('a', 1), refused)).toEqual(['error', 'Ended in an error: fetch failed', 'e1'])
    expect(ended(run('a', 1), run('b', 0))[0]).toBe('stopped')
  })

  it('is no saved chat that finished', () => {
    const [session] = stitchGroup([jsonFile({ start: 1 }, [prompt('p1', 1), run('a', 1), end()])])
    if (session === undefined) throw new Error('no session')
    const project = { key: 'k', name: 'shop', path: null }
    const saved = summarizeSession({ ...session, kind: 'checkpoint' }, { project, priceCall: () => 1 })
    expect([saved.outcome?.fate, saved.fates]).toEqual([
      'neverRerun',
      { laterSucceeded: 0, stillFailing: 0, neverRerun: 1 },
    ])
  })

  it('depends on commands alone: a file that was not found is no command', () => {
    const read = { id: 'r1', name: 'read_file', args: { file_path: 'x' }, status: 'error', timestamp: at(1) }
    expect(ended(answer('a', 2, { toolCalls: [read] }), end())[0]).toBe('finished')
  })
})
