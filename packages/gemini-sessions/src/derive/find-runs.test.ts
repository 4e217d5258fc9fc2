import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answer, at, info, jsonFile, logFile, prompt, type Row } from '../../test/make-file.ts'
import type { Session } from '../model/message.ts'
import { countFates, failedCallsSentence, failedRuns, findRuns, linkFates } from './failure.ts'
import type { StitchFile } from './files.ts'
import { sha256Hex } from './sha256.ts'
import { stitchGroup } from './stitch.ts'

function read(...files: StitchFile[]): Session {
  const [session] = stitchGroup(files)
  if (session === undefined) throw new Error('no session')
  return session
}

type End = 'ok' | 'fail' | 'cancelled' | 'unanswered' | { says: string } | { exit: number }

let ids = 0

/** As recorded by Gemini CLI: a failed command has status success, and its exit code is in the text. */
function call(name: string, args: unknown, end: End, fields: Record<string, unknown> = {}) {
  const id = `call-${++ids}`
  const isShell = name === 'run_shell_command'
  const text =
    typeof end === 'object' && 'says' in end
      ? end.says
      : typeof end === 'object'
        ? `Output: no\nExit Code: ${end.exit}`
        : end === 'fail' && isShell
          ? 'Output: no\nExit Code: 1'
          : 'Output: yes'
  const status = end === 'cancelled' ? 'cancelled' : end === 'fail' && !isShell ? 'error' : 'success'
  const response = status === 'success' ? { output: text } : { error: 'no' }
  return {
    ...{ id, name, args, timestamp: at(ids) },
    ...(end === 'unanswered'
      ? { status: 'executing' }
      : { status, result: [{ functionResponse: { id, name, response } }] }),
    ...fields,
  }
}

type Call = ReturnType<typeof call>
const shell = (command: unknown, end: End, args: object = {}) =>
  call('run_shell_command', { command, ...args }, end)
const step = (number: number, ...toolCalls: Call[]): Row => answer(`a${number}`, number, { toolCalls })
const sessionOf = (...calls: Call[]): Session =>
  read(jsonFile({ start: 1 }, [prompt('p1', 1), ...calls.map((each, index) => step(index + 2, each))]))
const fatesOf = (session: Session) => failedRuns(session).map(({ kind }) => kind)
const fates = (...calls: Call[]) => fatesOf(sessionOf(...calls))

describe('T1: a failed call', () => {
  it('later succeeded, is still failing, or was never rerun: by the runs of the same command alone', () => {
    expect(fates(shell('a', 'fail'))).toEqual(['neverRerun'])
    expect(fates(shell('a', 'fail'), shell('b', 'ok'))).toEqual(['neverRerun'])
    expect(fates(shell('a', 'fail'), shell('a', 'ok'))).toEqual(['laterSucceeded'])
    expect(fates(shell('a', 'ok'), shell('a', 'fail'))).toEqual(['stillFailing'])
    expect(fates(shell('a', 'fail'), shell('a', 'fail'))).toEqual(['stillFailing', 'stillFailing'])
    expect(fates(shell('a', 'fail'), shell('a', 'ok'), shell('a', 'fail'))).toEqual([
      'laterSucceeded',
      'stillFailing',
    ])
  })

  it('leads to the run that worked before it, and to the one that worked after it', () => {
    const session = sessionOf(
      ...(['ok', 'ok', 'fail', 'fail', 'ok', 'ok'] as const).map((end) => shell('a', end)),
    )
    const linked = linkFates(session.messages, session).flatMap(({ toolCalls }) => toolCalls)
    const fate = {
      kind: 'laterSucceeded',
      worked: { messageKey: 'a3', timestamp: linked[1]?.timestamp },
      succeeded: { messageKey: 'a6', timestamp: linked[4]?.timestamp },
    }
    expect(linked.map((each) => each.fate)).toEqual([undefined, undefined, fate, fate, undefined, undefined])
    const open = sessionOf(shell('a', 'ok'), shell('a', 'fail'))
    expect(linkFates(open.messages, open)[2]?.toolCalls[0]?.fate).toMatchObject({
      kind: 'stillFailing',
      worked: { messageKey: 'a2' },
      succeeded: null,
    })
  })

  it.each([
    ['another folder', { dir_path: 'web' }, {}],
    ['another folder, in the words of older versions', { directory: 'web' }, {}],
    ['the folder above', { dir_path: 'web/..' }, { dir_path: 'web' }],
  ])('is not put right in %s', (_, before, after) => {
    expect(fates(shell('a', 'fail', before), shell('a', 'ok', after))).toEqual(['neverRerun'])
  })

  it.each([
    ['.', '', null],
    ['./web/', 'web', null],
    ['web', '/home/u/shop/web', '/home/u/shop'],
    ['/home/u/shop', '.', '/home/u/shop'],
    ['C:\\Shop\\web', 'web', 'C:\\Shop'],
  ])('takes %s and "%s" for one folder', (before, after, root) => {
    const session = sessionOf(
      shell('a', 'fail', { dir_path: before }),
      shell('a', 'ok', after === '' ? {} : { dir_path: after }),
    )
    const projectHash = root === null ? session.projectHash : sha256Hex(root)
    expect(fatesOf({ ...session, projectHash })).toEqual(['laterSucceeded'])
    if (root !== null) expect(fatesOf(session)).toEqual(['neverRerun'])
  })

  it.each([
    ['npm test', 'npm test ', ['laterSucceeded']],
    ['npm test\n', '\tnpm test', ['laterSucceeded']],
    ['npm  test', 'npm test', ['neverRerun']],
    ['cd web && npm test', 'npm test', ['neverRerun']],
    ['npm test', 'npm test && true', ['neverRerun']],
    ['npm test', 'NPM test', ['neverRerun']],
    ['npm test', 'npm test 2>&1', ['neverRerun']],
  ] as const)(
    'compares the command lines %j and %j as they are, but for blanks around them',
    (one, other, expected) => {
      expect(fates(shell(one, 'fail'), shell(other, 'ok'))).toEqual(expected)
      // its purpose does not matter
      const reason = { description: 'again' }
      expect(fates(shell(one, 'fail'), shell(other, 'ok', reason))).toEqual(expected)
    },
  )

  it.each<[string, End]>([
    ['was cancelled', 'cancelled'],
    ['has no result', 'unanswered'],
    ['went to the background', { says: 'Command moved to background (PID: 7). Output hidden.' }],
    ['goes on in the background', { says: 'Command is running in background. PID: 7. Initial output:\n' }],
    [
      'ran out of time',
      { says: 'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes' },
    ],
    ['was stopped', { says: 'Command was cancelled by user before it could complete.' }],
    ['was blocked', { says: 'Command injection detected: command substitution syntax' }],
    ['ended by a signal', { says: 'Output: no\nSignal: SIGKILL\nProcess Group PGID: 7' }],
    [
      'ended by a signal, in the words of 0.61',
      { says: '<untrusted_context>\nOutput: no\nSignal: 9\nProcess Group PGID: 7\n</untrusted_context>' },
    ],
    [
      'ended by a signal after a long output',
      { says: `Output: ${'a long line of output\n'.repeat(200)}Signal: SIGSEGV` },
    ],
  ])('neither succeeded nor was rerun where its only other run %s', (_, end) => {
    expect(fates(shell('a', 'fail'), shell('a', end))).toEqual(['neverRerun'])
    expect(fates(shell('a', end), shell('a', 'fail'))).toEqual(['neverRerun'])
  })

  it.each<[string, string, object]>([
    ['a signal that there was none of', 'Output: x\nError: (none)\nExit Code: 0\nSignal: (none)', {}],
    [
      'no signal, in the words of a terminal',
      'Output: x\nExit Code: 0\nSignal: 0\nProcess Group PGID: 7',
      {},
    ],
    ['a line of its own that looks like one', 'Output: x\nSignal: green\nand more', {}],
    ['an end before it went to the background', 'Output: x', { is_background: true }],
  ])('is put right by a run with %s', (_, says, args) => {
    expect(fates(shell('a', 'fail'), shell('a', { says }, args))).toEqual(['laterSucceeded'])
  })

  it('is not put right by a command that was only started', () => {
    expect(fates(shell('serve &', 'fail'), shell('serve &', 'ok'))).toEqual(['neverRerun'])
    expect(fates(shell('a && b', 'fail'), shell('a && b', 'ok'))).toEqual(['laterSucceeded'])
  })

  it('of another tool is compared by its file or its query', () => {
    const edit = (end: End, path: string, text = 'x') =>
      call('replace', { file_path: path, old_string: text, new_string: 'y' }, end)
    expect(fates(edit('fail', 'a.ts'), edit('ok', 'a.ts', 'z'))).toEqual(['laterSucceeded'])
    expect(fates(edit('fail', 'a.ts'), edit('ok', 'b.ts'))).toEqual(['neverRerun'])
    // the file was changed in the end; reading it changes nothing
    expect(
      fates(edit('fail', 'a.ts'), call('write_file', { file_path: './a.ts', content: '' }, 'ok')),
    ).toEqual(['laterSucceeded'])
    expect(fates(edit('fail', 'a.ts'), call('read_file', { file_path: 'a.ts' }, 'ok'))).toEqual([
      'neverRerun',
    ])
    expect(
      fates(
        call('read_file', { absolute_path: '/w/a.ts' }, 'fail'),
        call('read_file', { file_path: '/w/a.ts', start_line: 9 }, 'ok'),
      ),
    ).toEqual(['laterSucceeded'])
    const search = (end: End, query: string) => call('google_web_search', { query }, end)
    expect(fates(search('fail', 'x'), search('fail', 'y'), search('ok', 'x'))).toEqual([
      'laterSucceeded',
      'neverRerun',
    ])
    const grep = (name: string, end: End, args: object) => call(name, { pattern: 'x', ...args }, end)
    expect(
      fates(grep('search_file_content', 'fail', { include: '*.ts' }), grep('grep_search', 'ok', {})),
    ).toEqual(['laterSucceeded'])
    expect(
      fates(grep('grep_search', 'fail', { dir_path: 'nowhere' }), grep('grep_search', 'ok', {})),
    ).toEqual(['neverRerun'])
    expect(fates(grep('glob', 'fail', {}), grep('grep_search', 'ok', {}))).toEqual(['neverRerun'])
    const todos = (end: End, status: string) =>
      call('write_todos', { todos: [{ description: 'x', status }] }, end)
    expect(fates(todos('fail', 'odd'), todos('ok', 'pending'))).toEqual(['laterSucceeded'])
  })

  it('of a tool of others is compared by all arguments, in whatever order, also where there are none', () => {
    const sql = (end: End, args: unknown) => call('mcp_db_query', args, end)
    expect(fates(sql('fail', { q: 1, db: 'a' }), sql('ok', { db: 'a', q: 1 }))).toEqual(['laterSucceeded'])
    expect(fates(sql('fail', { q: 1, db: 'a' }), sql('ok', { q: 2, db: 'a' }))).toEqual(['neverRerun'])
    expect(fates(sql('fail', {}), sql('ok', {}))).toEqual(['laterSucceeded'])
    expect(fates(sql('fail', null), call('mcp_db_other', null, 'ok'))).toEqual(['neverRerun'])
    // a call of a known tool without its file is a separate one
    expect(fates(call('read_file', {}, 'fail'), call('read_file', { file_path: 'a.ts' }, 'ok'))).toEqual([
      'neverRerun',
    ])
    expect(fates(shell(7, 'fail'), shell(7, 'ok'), shell('', 'ok'))).toEqual(['laterSucceeded'])
  })

  it('that was rewound has none, and a run that was rewound puts nothing right', () => {
    const log = (...rows: Parameters<typeof logFile>[1]) => read(logFile({ start: 1 }, rows))
    const rewound = log(
      ...[prompt('p1', 1), step(1, shell('a', 'fail'))],
      ...[prompt('p2', 3), step(2, shell('a', 'ok'), shell('b', 'fail')), { $rewindTo: 'p2' }],
      ...[prompt('p3', 5), step(3, shell('c', 'ok'))],
    )
    expect(failedRuns(rewound).map(({ run, kind }) => [run.message.key, kind])).toEqual([
      ['a1', 'neverRerun'],
    ])
    expect(linkFates(rewound.messages, rewound)[3]?.toolCalls[1]).not.toHaveProperty('fate')
    expect(failedCallsSentence(rewound)?.text).toBe('2 failed: 1 never rerun, 1 rewound')
  })

  it('stays what it is where the conversation was compressed or its end dropped: the runs have happened', () => {
    const talk = [prompt('p1', 1), step(1, shell('a', 'fail'))]
    const again = [prompt('p2', 3), step(2, shell('a', 'ok'))]
    const aborted = read(
      logFile({ start: 1 }, [...talk, ...again, talk, info('n1', 5, 'Request cancelled.')]),
    )
    expect([aborted.messages[3]?.superseded, fatesOf(aborted)]).toEqual(['aborted', ['laterSucceeded']])
    const snapshot = [
      prompt('s1', 5, '<state_snapshot>x</state_snapshot>'),
      answer('s2', 5, { content: 'Got it. Thanks for the additional context!' }),
    ]
    const compressed = read(logFile({ start: 1 }, [...talk, ...again, snapshot, prompt('p3', 6)]))
    expect([compressed.messages[1]?.superseded, fatesOf(compressed)]).toEqual([
      'compacted',
      ['laterSucceeded'],
    ])
  })

  it('is one run where a rewrite, a copy or a resume records it again', () => {
    const [fail, ok] = [shell('a', 'fail'), shell('a', 'ok')]
    const rows = [prompt('p1', 1), step(1, fail)]
    const renamed = [
      prompt('q1', 1, 'prompt p1'),
      answer('b1', 2, { content: 'answer a1', toolCalls: [fail] }),
    ]
    const more = [prompt('p2', 3), step(2)]
    for (const log of [
      [...rows, ...more, renamed, prompt('p3', 5)],
      [...rows, ...more, answer('a9', 5, { toolCalls: [fail] })],
      [...rows, rows, ...more],
      [...rows, step(1, fail), ...more],
      [...rows, ...more, ...renamed, renamed, info('n1', 6, 'Request cancelled.')],
    ]) {
      const session = read(logFile({ start: 1 }, log))
      expect(fatesOf(session)).toEqual(['neverRerun'])
      const drawn = linkFates(session.messages, session).flatMap(({ toolCalls }) => toolCalls)
      expect(new Set(drawn.map(({ fate }) => fate?.kind))).toEqual(new Set(['neverRerun']))
    }
    // the same id with another result is the same run
    expect(fatesOf(read(logFile({ start: 1 }, [...rows, step(1, { ...ok, id: fail.id })])))).toEqual([])
  })

  it('without an id is one run with its copy after an abort, and what is drawn of the copy says so', () => {
    const fail = { ...shell('a', 'fail'), id: '' }
    const rows = [prompt('p1', 1), step(1, fail)]
    const copies = [prompt('q1', 1, 'prompt p1'), answer('b1', 2, { content: 'answer a1' })]
    const log = [...rows, prompt('p2', 3), ...copies, copies, info('n1', 6, 'Request cancelled.')]
    const session = read(logFile({ start: 1 }, log))
    const copied = session.messages.find(({ copyOf }) => copyOf === 'a1')
    expect([copied?.superseded, fatesOf(session)]).toEqual([null, ['neverRerun']])
    const drawn = linkFates(session.messages, session).find(({ key }) => key === copied?.key)
    expect(drawn?.toolCalls[0]?.fate?.kind).toBe('neverRerun')
    // also if only the copy is left
    const messages = session.messages.map((message) =>
      message.key === 'a1' ? { ...message, superseded: 'rewound' as const } : message,
    )
    expect(fatesOf({ ...session, messages })).toEqual(['neverRerun'])
  })

  it('that a later list of messages leaves out has none', () => {
    const rows = [prompt('p1', 1), step(1, shell('a', 'fail')), step(2, shell('b', 'fail'), shell('b', 'ok'))]
    const session = read(logFile({ start: 1 }, [...rows, [prompt('q1', 5), answer('b1', 6)]]))
    expect([session.messages[1]?.superseded, fatesOf(session)]).toEqual(['replaced', []])
    expect(failedCallsSentence(session)?.text).toBe('2 failed, replaced')
  })

  it('of a sub-agent in the file of its parent is compared with the runs of that sub-agent', () => {
    const session = sessionOf(shell('a', 'fail'), shell('a', 'ok'))
    const [asked, failed, worked] = session.messages
    if (asked === undefined || failed === undefined || worked === undefined) throw new Error('no messages')
    const by = (first: string | null, second: string | null) =>
      fatesOf({
        ...session,
        messages: [asked, { ...failed, agentKey: first }, { ...worked, agentKey: second }],
      })
    expect(by('one', 'one')).toEqual(['laterSucceeded'])
    expect([by(null, 'one'), by('one', null), by('one', 'two')].flat()).toEqual(Array(3).fill('neverRerun'))
  })

  it('of a damaged file has none, as its figures are 0', () => {
    const session = sessionOf(shell('a', 'fail'))
    const files = session.files.map((file) => ({ ...file, role: 'damaged' as const }))
    expect([failedRuns({ ...session, files }), findRuns({ ...session, files })]).toEqual([[], []])
  })
})

interface Step {
  turn: number
  agent: 0 | 1
  what: number
  end: 'ok' | 'fail' | 'cancelled' | 'unanswered'
}

/** What a step runs, and what makes it equal to another one. */
const KINDS: { same: string; make: (end: End) => Call }[] = [
  { same: 'npm test', make: (end) => shell('npm test', end) },
  { same: 'npm test', make: (end) => shell(' npm test', end, { dir_path: '.' }) },
  { same: 'npm test in web', make: (end) => shell('npm test', end, { dir_path: 'web' }) },
  { same: 'npm run build', make: (end) => shell('npm run build', end) },
  { same: 'edit a', make: (end) => call('replace', { file_path: 'a', old_string: `${ids}` }, end) },
  { same: 'edit a', make: (end) => call('write_file', { file_path: 'a', content: `${ids}` }, end) },
  { same: 'read a', make: (end) => call('read_file', { file_path: 'a' }, end) },
  { same: 'query', make: (end) => call('google_web_search', { query: 'a' }, end) },
  { same: 'mcp', make: (end) => call('mcp_x', { b: 1, a: [2] }, end) },
]

const steps = fc.array(
  fc.record<Step>({
    turn: fc.nat(4),
    agent: fc.constantFrom(0, 0, 0, 1),
    what: fc.nat(KINDS.length - 1),
    end: fc.constantFrom('ok', 'fail', 'fail', 'cancelled', 'unanswered'),
  }),
  { maxLength: 24 },
)

it('T1: fates of any session are those that a look at every pair of its runs finds', () => {
  fc.assert(
    fc.property(steps, fc.array(fc.nat(5), { maxLength: 2 }), (unordered, rewinds) => {
      const ran = unordered.toSorted((a, b) => a.turn - b.turn)
      const rows: Parameters<typeof logFile>[1][number][] = []
      const runs: {
        key: string
        same: string
        end: Step['end']
        isRewound: boolean
        agent: 0 | 1
        turn: number
      }[] = []
      const live = new Set<number>()
      for (let turn = 0; turn < 5; turn++) {
        live.add(turn)
        rows.push(prompt(`p${turn}`, turn * 10))
        for (const [index, { agent, what, end }] of ran.filter((each) => each.turn === turn).entries()) {
          const kind = KINDS[what]
          if (kind === undefined) continue
          const key = `m${turn}-${index}-${agent}`
          runs.push({ key, same: `${agent} ${kind.same}`, end, agent, turn, isRewound: false })
          rows.push(answer(key, turn * 10 + 1, { toolCalls: [kind.make(end)] }))
        }
        // rewinds the turns from this one on, if they still exist
        const target = rewinds.includes(turn) ? turn - (rewinds.indexOf(turn) % 2) : -1
        if (target < 0) continue
        rows.push({ $rewindTo: `p${target}` })
        // Gemini CLI rewinds everything if that turn is already rewound
        const from = live.has(target) ? target : 0
        for (const run of runs) if (run.turn >= from) run.isRewound = true
        for (const each of [...live]) if (each >= from) live.delete(each)
      }
      const stitched = read(logFile({ start: 1 }, rows))
      const messages = stitched.messages.map((message) => ({
        ...message,
        agentKey: message.key.endsWith('-1') ? 'agent' : null,
      }))
      const session = { ...stitched, messages, drawnKeys: null }

      const counted = runs.filter(({ end, isRewound }) => !isRewound && (end === 'ok' || end === 'fail'))
      const expected = counted.flatMap((run, place) => {
        if (run.end !== 'fail') return []
        const others = counted.filter((other) => other.same === run.same)
        const later = counted.slice(place + 1).find(({ same, end }) => same === run.same && end === 'ok')
        const kind = later ? 'laterSucceeded' : others.length === 1 ? 'neverRerun' : 'stillFailing'
        return [[run.key, kind, later?.key ?? null]]
      })
      const found = failedRuns(session)
      expect(
        found.map(({ run, kind, succeeded }) => [run.message.key, kind, succeeded?.message.key ?? null]),
      ).toEqual(expected)
      const { laterSucceeded, stillFailing, neverRerun } = countFates(found)
      expect(laterSucceeded + stillFailing + neverRerun).toBe(expected.length)
      // each displayed call says the same
      const drawn = linkFates(messages, session).flatMap(({ key, toolCalls }) =>
        toolCalls.flatMap(({ fate }) => (fate ? [[key, fate.kind, fate.succeeded?.messageKey ?? null]] : [])),
      )
      expect(drawn).toEqual(expected)
    }),
    { numRuns: 400 },
  )
})
