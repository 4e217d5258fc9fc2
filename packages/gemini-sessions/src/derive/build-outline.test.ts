import { describe, expect, it } from 'vitest'
import { answer, at, context, info, jsonFile, logFile, prompt } from '../../test/make-file.ts'
import { callPointSchema, compressionSchema, type Session, turnSchema } from '../model/message.ts'
import type { StitchFile } from './files.ts'
import { buildOutline } from './outline.ts'
import { stitchGroup } from './stitch.ts'
import { priceMessages, usageBuckets } from './sums.ts'
import { toolStats } from './tool-stats.ts'

const dollarAToken = ({ usage }: { usage: { total: number } }) => usage.total

function session(...files: StitchFile[]): Session {
  const [first] = stitchGroup(files)
  if (first === undefined) throw new Error('no session')
  return first
}

function outline(...files: StitchFile[]) {
  const { turns, calls, compressions } = buildOutline(session(...files), dollarAToken)
  return {
    turns: turns.map((turn) => turnSchema.parse(turn)),
    calls: calls.map((call) => callPointSchema.parse(call)),
    compressions: compressions.map((compression) => compressionSchema.parse(compression)),
  }
}

const shell = (output: string, status = 'success') => ({
  id: `c-${output.length}`,
  name: 'run_shell_command',
  args: { command: 'ls' },
  status,
  timestamp: at(2),
  result: [
    { functionResponse: { id: `c-${output.length}`, name: 'run_shell_command', response: { output } } },
  ],
})

it('takes messages that are priced as they are', () => {
  const unpriced = session(logFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2)]))
  const messages = priceMessages(unpriced.messages, dollarAToken)
  expect(buildOutline({ ...unpriced, messages })).toEqual(buildOutline(unpriced, dollarAToken))
})

describe('turns', () => {
  it('begin with a prompt; what stands before the first is turn 0', () => {
    const { turns, calls } = outline(
      logFile({ start: 1 }, [
        context(1),
        prompt('p1', 1),
        answer('a1', 2, { toolCalls: [shell('ok', 'error')] }),
        prompt('p2', 3),
        answer('a2', 4),
        answer('a3', 5),
        { $rewindTo: 'p2' },
      ]),
    )
    expect(turns.map((turn) => [turn.number, turn.messageKey, turn.firstOffset, turn.messageCount])).toEqual([
      [0, context(1).id, 0, 1],
      [1, 'p1', 1, 2],
      [2, 'p2', 3, 3],
    ])
    expect(turns.map((turn) => [turn.prompt, turn.usage.total, turn.cost.usd, turn.superseded])).toEqual([
      ['', 0, null, null],
      ['prompt p1', 115, 115, null],
      ['prompt p2', 230, 230, 'rewound'],
    ])
    expect(turns[1]).toMatchObject({
      toolCalls: 1,
      toolErrors: 1,
      failedKey: 'a1',
      startTime: at(1),
      endTime: at(2),
    })
    expect(
      calls.map((call) => [call.messageKey, call.offset, call.turn, call.failed, call.superseded]),
    ).toEqual([
      ['a1', 2, 1, true, null],
      ['a2', 4, 2, false, 'rewound'],
      ['a3', 5, 2, false, 'rewound'],
    ])
  })

  it('begin at 1 if the first message is a prompt, and are none in an empty session', () => {
    expect(outline(jsonFile({ start: 1 }, [prompt('p1', 1)])).turns.map((turn) => turn.number)).toEqual([1])
    expect(outline(jsonFile({ start: 1 }, [])).turns).toEqual([])
  })
})

describe('compressions', () => {
  const tokens = (input: number) => ({
    tokens: { input, output: 1, cached: 0, thoughts: 0, tool: 0, total: input },
  })

  it('are found by the snapshot and its notice, once', () => {
    const snapshot = prompt('s1', 3, '<state_snapshot>\n done </state_snapshot>')
    const partner = {
      ...answer('g1', 3),
      tokens: null,
      content: [{ text: 'Got it. Thanks for the additional context!' }],
    }
    const { compressions } = outline(
      logFile({ start: 1 }, [
        context(1),
        prompt('p1', 1),
        answer('a1', 2, tokens(9000)),
        [context(1), snapshot, partner],
        info('c1', 3),
        prompt('p2', 4),
        answer('a2', 4, tokens(800)),
      ]),
    )
    expect(compressions).toMatchObject([
      { messageKey: 's1', inputBefore: 9000, inputAfter: 800, timestamp: at(3) },
    ])
  })

  it('are found where a notice marks the spot in the same file (0.25 to 0.43)', () => {
    const { compressions } = outline(
      jsonFile({ start: 1 }, [
        prompt('p1', 1),
        answer('a1', 2, tokens(9000)),
        info('c1', 3),
        prompt('p2', 4),
      ]),
    )
    expect(compressions).toEqual([
      { messageKey: 'p2', offset: 3, timestamp: at(3), inputBefore: 9000, inputAfter: null },
    ])
  })

  it('are found where a new file begins (0.18 to 0.24), once', () => {
    const before = jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2, tokens(9000)), info('c1', 3)])
    const after = jsonFile({ start: 4 }, [prompt('p2', 4), answer('a2', 5, tokens(700))])
    expect(outline(before, after).compressions).toMatchObject([
      { messageKey: 'p2', offset: 3, inputBefore: 9000, inputAfter: 700 },
    ])
  })
})

describe('what was used', () => {
  it('is kept by quarter hour and model', () => {
    const talk = session(
      logFile({ start: 10 }, [
        answer('a1', 10),
        answer('a2', 14, { model: 'gemini-3-pro' }),
        answer('a3', 16),
        answer('a4', 29),
        answer('a5', 30, { timestamp: 'never' }),
      ]),
    )
    expect(
      usageBuckets(talk, dollarAToken).map(({ quarterHour, model, usage, cost }) => [
        quarterHour,
        model,
        usage.calls,
        cost.usd,
      ]),
    ).toEqual([
      [at(0), 'gemini-2.5-pro', 2, 230],
      [at(0), 'gemini-3-pro', 1, 115],
      [at(15), 'gemini-2.5-pro', 2, 230],
    ])
  })

  it('is counted by tool, with a guess of what its outputs cost the context', () => {
    const talk = session(
      logFile({ start: 1 }, [
        answer('a1', 1, { toolCalls: [shell('x'.repeat(400)), shell('y'.repeat(41), 'error')] }),
        { $rewindTo: 'a1' },
      ]),
    )
    expect(toolStats(talk)).toEqual([
      expect.objectContaining({
        name: 'run_shell_command',
        calls: 2,
        errors: 1,
        outputTokensEstimate: 100 + 11,
      }),
    ])
  })

  it('is timed by tool from answer to result: what was called at once counts once, and no time is none', () => {
    const timed = (output: string, second: number) => ({ ...shell(output), timestamp: at(second) })
    const talk = session(
      logFile({ start: 1 }, [
        answer('a1', 2, { toolCalls: [timed('x', 5), timed('xx', 9), timed('xxx', 6)] }),
        answer('a2', 20, { toolCalls: [timed('xxxx', 24), { ...shell('xxxxx'), timestamp: 'never' }] }),
      ]),
    )
    const [{ maxTimeMs, timedCalls, calls } = { maxTimeMs: 0, timedCalls: 0, calls: 0 }] = toolStats(talk)
    expect([maxTimeMs, timedCalls, calls]).toEqual([Date.parse(at(11)) - Date.parse(at(0)), 4, 5])
  })
})
