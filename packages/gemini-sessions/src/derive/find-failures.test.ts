import { describe, expect, it } from 'vitest'
import { answer, at, context, info, jsonFile, logFile, prompt } from '../../test/make-file.ts'
import { failedKeys, findFailures } from './failure.ts'
import type { StitchFile } from './files.ts'
import { buildOutline } from './outline.ts'
import { stitchGroup } from './stitch.ts'
import { summarizeSession } from './summary.ts'

const REFUSED =
  '[API Error: {"error":{"code":400,"message":"Scripted: the request was refused.","status":"INVALID_ARGUMENT"}}]'
const error = (id: string, minutes: number, text = REFUSED) => ({ ...info(id, minutes, text), type: 'error' })

function read(file: StitchFile) {
  const [session] = stitchGroup([file])
  if (session === undefined) throw new Error('no session')
  const project = { key: 'k', name: 'shop', path: null }
  const { outcome, failures } = summarizeSession(session, { project, priceCall: () => 1 })
  return { outcome, failures, keys: [...failedKeys(session)] }
}

/** For each turn: its prompt, what became of it, why it failed, and what the CLI dropped because of it. */
function turns(file: StitchFile) {
  const [session] = stitchGroup([file])
  if (session === undefined) throw new Error('no session')
  const dropped = findFailures(session).turns.flatMap((turn) => turn.dropped.map(({ key }) => key))
  const { turns } = buildOutline(session)
  return turns.map(({ messageKey, superseded, failure }) => [
    messageKey,
    superseded,
    failure?.text.slice(0, 22) ?? null,
    failure?.noticeKey ?? null,
    dropped.filter((key) => key === messageKey || (messageKey === 'p2' && key.endsWith('2'))),
  ])
}

describe('C3, C4: what failed', () => {
  it('is a prompt that nothing follows (0.25)', () => {
    expect(read(jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2), prompt('p2', 3)]))).toEqual({
      outcome: {
        kind: 'unanswered',
        text: 'No reply after “prompt p2”',
        messageKey: 'p2',
      },
      failures: { tools: 0, refused: 0, unanswered: 1 },
      keys: ['p2'],
    })
  })

  it('is a prompt that a failed request took back without a word (0.61, -p)', () => {
    const { outcome, failures } = read(logFile({ start: 1 }, [[context(1)], prompt('p1', 1), [context(1)]]))
    expect(outcome).toMatchObject({ kind: 'unanswered', messageKey: 'p1' })
    expect(failures).toEqual({ tools: 0, refused: 0, unanswered: 1 })
  })

  it('is a refused request, which says what the API said, also where its prompt was taken back with it', () => {
    const rows = [prompt('p1', 1), answer('a1', 2), prompt('p2', 3)]
    const aborted = logFile({ start: 1 }, [
      ...rows,
      rows.slice(0, 2),
      error('e1', 4),
      info('n1', 4, 'Press F12'),
    ])
    for (const file of [aborted, jsonFile({ start: 1 }, [...rows, error('e1', 4)])]) {
      expect(read(file)).toEqual({
        outcome: {
          kind: 'error',
          text: 'API error: 400 INVALID_ARGUMENT',
          messageKey: 'e1',
        },
        failures: { tools: 0, refused: 1, unanswered: 0 },
        keys: ['e1'],
      })
    }
  })

  it('is a refused request in the middle of an answer', () => {
    const { outcome, failures } = read(
      jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2), error('e1', 3)]),
    )
    expect(outcome).toMatchObject({ kind: 'error', text: 'API error: 400 INVALID_ARGUMENT' })
    expect(failures).toEqual({ tools: 0, refused: 1, unanswered: 0 })
  })

  it('is not what the person took back or cancelled, nor a command that the CLI answers itself', () => {
    const talk = [prompt('p1', 1), answer('a1', 2)]
    const shell =
      'I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\n```'
    for (const rows of [
      [...talk, prompt('p2', 3), { $rewindTo: 'p2' }],
      [...talk, prompt('p2', 3), talk, info('n1', 4, 'Request cancelled.')],
      [...talk, prompt('p2', 3, '/help')],
      [...talk, prompt('p2', 3, shell)],
      [...talk, error('e1', 3, 'Unknown command: /cleanup')],
    ]) {
      const { failures, keys } = read(logFile({ start: 1 }, rows))
      expect([failures, keys]).toEqual([{ tools: 0, refused: 0, unanswered: 0 }, []])
    }
  })

  it('is said of the turn, and what the CLI dropped because of it nobody took back', () => {
    const talk = [prompt('p1', 1), answer('a1', 2), prompt('p2', 3)]
    const kept = talk.slice(0, 2)
    expect(turns(logFile({ start: 1 }, [...talk, kept, error('e1', 4)]))).toEqual([
      ['p1', null, null, null, []],
      ['p2', 'aborted', 'No answer: the API ref', 'e1', ['p2']],
    ])
    // the request that failed was not the first of its turn
    expect(turns(logFile({ start: 1 }, [...talk, answer('a2', 4), kept, error('e1', 5)]))).toEqual([
      ['p1', null, null, null, []],
      ['p2', 'aborted', 'Ended early: the API r', 'e1', ['p2', 'a2']],
    ])
    expect(turns(logFile({ start: 1 }, [...talk, kept, info('n1', 4, 'Request cancelled.')]))).toEqual([
      ['p1', null, null, null, []],
      ['p2', 'aborted', null, null, []],
    ])
  })

  it('is no request that was made again and answered', () => {
    const rows = [prompt('p1', 1), error('e1', 2, 'fetch failed'), answer('a1', 3)]
    expect(turns(jsonFile({ start: 1 }, rows))).toEqual([['p1', null, null, null, []]])
  })

  it('is said of main sessions only where a prompt has no answer', () => {
    const { failures, outcome } = read(logFile({ start: 1, kind: 'subagent' }, [prompt('p1', 1)]))
    expect([failures?.unanswered, outcome?.kind]).toEqual([0, 'empty'])
  })

  it('C3: counts a failed call once, also where a rewrite repeats it under a new id', () => {
    const result = [{ functionResponse: { id: 'c1', name: 'glob', response: { error: 'no' } } }]
    const call = { id: 'c1', name: 'glob', args: {}, status: 'error', timestamp: at(2), result }
    const rows = [prompt('p1', 1), answer('a1', 2, { toolCalls: [call] })]
    const again = answer('a9', 5, { toolCalls: [call] })
    for (const log of [
      [...rows, { $rewindTo: 'p1' }, prompt('p2', 3), answer('a2', 4)],
      [...rows, prompt('p2', 3), answer('a2', 4), again],
      [...rows, rows, prompt('p2', 3), answer('a2', 4)],
    ]) {
      expect(read(logFile({ start: 1 }, log))).toMatchObject({
        failures: { tools: 1, refused: 0, unanswered: 0 },
        outcome: { kind: expect.stringMatching(/finished|stopped/) },
      })
    }
  })
})
