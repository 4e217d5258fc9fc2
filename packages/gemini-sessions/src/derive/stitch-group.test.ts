import { describe, expect, it } from 'vitest'
import {
  answer,
  at,
  context,
  copyOf,
  info,
  jsonFile,
  logFile,
  prompt,
  SESSION_ID,
} from '../../test/make-file.ts'
import type { StitchFile } from './files.ts'
import { placeKey, sessionKey } from './identity.ts'
import { stitchGroup } from './stitch.ts'

/** Sessions for comparison: roles by file name, and ids in display order. */
function picture(files: StitchFile[]) {
  return stitchGroup(files).map((session) => ({
    kind: session.kind,
    ids: session.messages.map((message) => message.key),
    roles: session.files.map(
      (file) => `${file.role} ${file.path.replace(/^.*T/, '').replace(/-[^-.]*\./, '.')}`,
    ),
  }))
}

const first = jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2)])

describe('one conversation in several files', () => {
  it('is one session when a resume made a log of the old file', () => {
    const twin = logFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2), prompt('p2', 9), answer('a2', 9)])
    expect(picture([first, twin])).toEqual([
      { kind: 'main', ids: ['p1', 'a1', 'p2', 'a2'], roles: ['current 20-01.jsonl', 'twin 20-01.json'] },
    ])
  })

  it('is one session when the project folder was copied and the copy went on', () => {
    const grown = jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2), prompt('p2', 3)])
    const stale = copyOf(first, {
      path: `tmp/${'b'.repeat(64)}/chats/session-2026-11-21T20-01-11111111.json`,
    })
    expect(picture([stale, grown])).toEqual([
      { kind: 'main', ids: ['p1', 'a1', 'p2'], roles: ['current 20-01.json', 'copy 20-01.json'] },
    ])
  })

  it('keeps what only an older file holds, in its place by time', () => {
    const older = logFile({ start: 1 }, [prompt('p1', 1), info('n1', 2, 'Model set to x'), answer('a1', 3)])
    const newer = logFile({ start: 8 }, [[prompt('p1', 1), answer('a1', 3)], prompt('p2', 8)])
    const [session] = stitchGroup([newer, older])
    expect(session?.messages.map(({ key, superseded }) => [key, superseded])).toEqual([
      ['p1', null],
      ['n1', null],
      ['a1', null],
      ['p2', null],
    ])
  })

  it('keeps the diff and the exit code that only the older file still holds', () => {
    const shell = (output: string) => ({
      id: 'c1',
      name: 'run_shell_command',
      args: {},
      status: 'success',
      result: [{ functionResponse: { id: 'c1', response: { output } } }],
    })
    const replace = (more: object) => ({
      id: 'c2',
      name: 'replace',
      args: { file_path: 'a.js', old_string: 'x', new_string: 'y' },
      status: 'success',
      ...more,
    })
    const stored = { fileDiff: '@@\n-x\n+y', fileName: 'a.js', originalContent: 'x', newContent: 'y' }
    const older = [shell('Output: no\nExit Code: 2'), replace({ resultDisplay: stored })]
    const newer = [shell('<tool_output_masked>…'), replace({})]
    const [session] = stitchGroup([
      jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2, { toolCalls: older })]),
      logFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2, { toolCalls: newer }), prompt('p2', 9)]),
    ])
    expect(session?.messages[1]?.toolCalls).toMatchObject([
      { exitCode: 2, failed: true, output: { text: 'Output: no\nExit Code: 2' } },
      { display: { kind: 'diff', fileDiff: '@@\n-x\n+y', isRebuilt: false } },
    ])
  })

  it('believes the current file where it dropped a message that the older one still has', () => {
    const older = logFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2), prompt('p2', 3), answer('a2', 3)])
    const newer = logFile({ start: 8 }, [
      [prompt('p1', 1), answer('a1', 2), prompt('p2', 3), answer('a2', 3)],
      { $rewindTo: 'p2' },
      prompt('p3', 9),
    ])
    const [session] = stitchGroup([older, newer])
    expect(session?.messages.map(({ key, superseded }) => [key, superseded])).toEqual([
      ['p1', null],
      ['a1', null],
      ['p2', 'rewound'],
      ['a2', 'rewound'],
      ['p3', null],
    ])
  })

  it('fills tokens and thoughts from the older file where the newer one lacks them', () => {
    const thoughts = [{ subject: 'Look', description: 'first', timestamp: at(2) }]
    const older = jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2, { thoughts })])
    const newer = logFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2, { tokens: null }), prompt('p2', 5)])
    const message = stitchGroup([older, newer])[0]?.messages[1]
    expect(message?.usage?.total).toBe(115)
    expect(message?.thoughts.map((thought) => thought.subject)).toEqual(['Look'])
  })

  it('has a backup of the CLI beside the others, never as the current file', () => {
    const path = 'shop/chats/session-2026-11-21T20-01-11111111.jsonl'
    const rewritten = logFile({ start: 1, path }, [prompt('p1', 1), answer('a1', 2)])
    const backup = logFile({ start: 1, path: `${path}.unreadable-1795293056000` }, [
      prompt('p1', 1),
      prompt('p2', 7),
    ])
    expect(stitchGroup([backup, rewritten])[0]?.files.map((file) => file.role)).toEqual(['current', 'part'])
  })

  it('says where only the older file holds the beginning', () => {
    const older = logFile({ start: 1 }, [
      context(1),
      prompt('p1', 1),
      answer('a1', 2),
      prompt('p2', 3),
      answer('a2', 3),
    ])
    const newer = logFile({ start: 8 }, [context(8), prompt('p2', 3), answer('a2', 3), prompt('p3', 9)])
    const [session] = stitchGroup([older, newer])
    expect(
      session?.segments.map(({ reason, firstOffset, messages }) => [reason, firstOffset, messages]),
    ).toEqual([
      ['start', 0, 3],
      ['resume', 3, 3],
    ])
    expect(session?.files.map((file) => file.role)).toEqual(['current', 'segment'])
  })
})

describe('one id, several conversations', () => {
  it('keeps conversations apart that share nothing but the id and the injected context', () => {
    const one = logFile({ start: 1 }, [context(1), prompt('p1', 1), answer('a1', 1)])
    const two = logFile({ start: 5 }, [context(5), prompt('p2', 5), answer('a2', 5)])
    const [a, b] = stitchGroup([one, two])
    expect(a?.sameRunKeys).toEqual([b?.key])
    expect(b?.sameRunKeys).toEqual([a?.key])
    expect(a?.key).toBe(sessionKey(SESSION_ID, at(1)))
    expect(b?.key).toBe(sessionKey(SESSION_ID, at(5)))
  })

  it('goes on in the next file after /compress', () => {
    const before = jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2), info('c1', 3)])
    const after = jsonFile({ start: 4 }, [prompt('p2', 4), answer('a2', 4)])
    const cleared = jsonFile({ start: 6 }, [prompt('p3', 6), answer('a3', 6)])
    expect(picture([cleared, after, before])).toEqual([
      {
        kind: 'main',
        ids: ['p1', 'a1', 'c1', 'p2', 'a2'],
        roles: ['current 20-04.json', 'segment 20-01.json'],
      },
      { kind: 'main', ids: ['p3', 'a3'], roles: ['current 20-06.json'] },
    ])
    const [session] = stitchGroup([cleared, after, before])
    expect(session?.segments.map(({ reason, firstOffset }) => [reason, firstOffset])).toEqual([
      ['start', 0],
      ['compress', 3],
    ])
    expect(session?.messages.map((message) => message.segment)).toEqual([0, 0, 0, 1, 1])
  })

  it('does not take an empty notice at the end for a split in later versions', () => {
    const compressed = jsonFile({ start: 1, kind: 'main' }, [prompt('p1', 1), answer('a1', 2), info('c1', 3)])
    const cleared = jsonFile({ start: 4, kind: 'main' }, [prompt('p2', 4), answer('a2', 4)])
    expect(picture([compressed, cleared])).toHaveLength(2)
  })

  it('brings back a masked output from the file that still has it', () => {
    const call = (output: string) => ({
      toolCalls: [
        {
          id: 'c1',
          name: 'read_file',
          args: {},
          status: 'success',
          timestamp: at(2),
          result: [{ functionResponse: { id: 'c1', name: 'read_file', response: { output } } }],
        },
      ],
    })
    const full = jsonFile({ start: 1 }, [prompt('p1', 1), answer('a1', 2, call('all of it'))])
    const masked = logFile({ start: 1 }, [
      prompt('p1', 1),
      answer('a1', 2, call('<tool_output_masked>\nshort</tool_output_masked>')),
      prompt('p2', 3),
    ])
    const output = stitchGroup([full, masked])[0]?.messages[1]?.toolCalls[0]?.output
    expect(output).toEqual({ kind: 'text', text: 'all of it' })
  })

  it('takes a flat file with a generated prompt for a sub-agent of the session of that id', () => {
    const task = 'Your task is to do a deep investigation of the codebase to find all'
    const agent = jsonFile({ start: 3 }, [prompt('s1', 3, task), answer('s2', 4)])
    const marked = jsonFile({ start: 5, kind: 'subagent' }, [prompt('s3', 5, 'Do it'), answer('s4', 5)])
    const sessions = stitchGroup([agent, marked, first])
    expect(sessions.map(({ kind, parentSessionId }) => [kind, parentSessionId])).toEqual([
      ['main', null],
      ['subagent', SESSION_ID],
      ['subagent', SESSION_ID],
    ])
    expect(sessions[0]?.sameRunKeys).toEqual([])
  })

  it('takes a backup in a folder of its own for a copy, not for a sub-agent', () => {
    const backup = copyOf(first, { path: 'tmp/shop/chats/old/session-2026-11-21T20-01-11111111.json' })
    expect(picture([first, backup])).toEqual([
      { kind: 'main', ids: ['p1', 'a1'], roles: ['current 20-01.json', 'copy 20-01.json'] },
    ])
  })

  it('makes the key of the start exactly as the file has it', () => {
    const startTime = '2026-11-21T21:01:00+01:00'
    const [session] = stitchGroup([logFile({ start: 1, fields: { startTime } }, [prompt('p1', 1)])])
    expect(session).toMatchObject({ key: sessionKey(SESSION_ID, startTime), startTime: at(1) })
  })

  it('gives equal keys to the first by path, and hashes the path of the others', () => {
    const rows = (id: string) => [prompt(`p${id}`, 1), answer(`a${id}`, 1)]
    const b = logFile({ sessionId: 'a2a-server', start: 1, path: 'shop/chats/session-b.jsonl' }, rows('b'))
    const a = logFile({ sessionId: 'a2a-server', start: 1, path: 'shop/chats/session-a.jsonl' }, rows('a'))
    const key = sessionKey('a2a-server', at(1))
    const keys = new Map(stitchGroup([b, a]).map((session) => [session.files[0]?.path, session.key]))
    expect(keys.get('tmp/shop/chats/session-a.jsonl')).toBe(key)
    expect(keys.get('tmp/shop/chats/session-b.jsonl')).toBe(placeKey(key, 'tmp/shop/chats/session-b.jsonl'))
  })
})
