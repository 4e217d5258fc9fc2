import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir, userInfo } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { afterAll, afterEach, describe, expect, inject, test, vi } from 'vitest'
import { readMutations } from '../mutations/read-mutations.mjs'
import { root, stampFolder } from '../steps/workspace.mjs'
import { addToLog, drawInputs, type FullRunRecord, goOnFrom, readLog } from './full-run.ts'
import leftOut from './left-out.json' with { type: 'json' }
import { failuresOfMutations } from './mutations-seen.ts'
import { pathWithoutGemini } from './own-places.ts'
import { countStates, linesOfEnd, mergeResults } from './print-end.ts'
import { type Quarantined, setAside } from './quarantine.ts'
import { runSuite } from './run-suite.ts'
import { deservesSecondTry, mergeTries } from './second-try.ts'
import { blameless, type Failure, idOf, type TestRun, type TestState } from './test-events.ts'
import { failuresOfUserFiles, filesBelow } from './user-files.ts'

// Vitest resolves from here, and no other run looks for tests here
mkdirSync(stampFolder, { recursive: true })
const folder = mkdtempSync(join(stampFolder, 'gate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const inFolder = (name: string) => `${relative(root, folder)}/${name}`

describe('a run of tests', () => {
  afterEach(() => vi.unstubAllEnvs())
  const run = (name: string) =>
    runSuite({
      name: `gate.test ${name}`,
      kind: 'unit',
      args: [
        'vitest/vitest.mjs',
        'run',
        '--root',
        folder,
        '--config',
        join(folder, 'config.mjs'),
        `--reporter=${join(root, 'scripts/gate/vitest-reporter.ts')}`,
      ],
    })

  test('tells of tests, hooks and files that failed, each with its line, and which of them pass the second time', async () => {
    write(
      'config.mjs',
      `export default { test: { include: ['*.test.mjs'], exclude: [], includeTaskLocation: true } }\n`,
    )
    write('green.test.mjs', `import { test } from 'vitest'\ntest('a', () => {})\ntest.skip('b', () => {})\n`)
    write(
      'once.test.mjs',
      `import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
describe('in a group', () => {
  test('fails at first', () => {
    const mark = new URL('mark', import.meta.url)
    const isThere = existsSync(mark)
    writeFileSync(mark, '')
    expect(isThere).toBe(true)
  })
})
`,
    )
    write(
      'red.test.mjs',
      `import { expect, test } from 'vitest'\ntest('always', () => expect([1, 2]).toEqual([1, 3]))\n`,
    )
    write('load.test.mjs', `import './nowhere.mjs'\n`)
    write(
      'hook.test.mjs',
      `import { beforeAll, test } from 'vitest'\nbeforeAll(() => { throw new Error('no server') })\ntest('c', () => {})\n`,
    )
    const first = await run('first')
    expect(first.failures.map(({ file, line, names }) => [file, line, ...names]).toSorted()).toEqual([
      [inFolder('hook.test.mjs'), 2],
      [inFolder('load.test.mjs'), undefined],
      [inFolder('once.test.mjs'), 8, 'in a group', 'fails at first'],
      [inFolder('red.test.mjs'), 2, 'always'],
    ])
    expect([...first.tests.values()].map(({ state }) => state).toSorted()).toEqual([
      'failed',
      'failed',
      'passed',
      'skipped',
      'skipped',
    ])
    expect(deservesSecondTry(first.failures)).toBe(true)

    const { failures, passedLater } = mergeTries(first, await run('second'))
    expect(failures.map(({ file }) => file).toSorted()).toEqual(
      ['hook.test.mjs', 'load.test.mjs', 'red.test.mjs'].map(inFolder),
    )
    expect(passedLater.map(({ file }) => file)).toEqual([inFolder('once.test.mjs')])
    vi.stubEnv('TEST_SEED', '7')
    vi.stubEnv('TZ', 'UTC')
    const counts = countStates(first.tests)
    const end = linesOfEnd({ steps: [], counts, failures, passedLater })
    expect(end).toContain(
      `   again: TZ=UTC TEST_SEED=7 npx vitest run --project unit ${inFolder('red.test.mjs')}:2`,
    )
    expect(end.join('\n')).toMatch(/expected: 3,?\n {3}received: 2/)
    expect(end.join('\n')).toMatch(
      /Passed on the second try: 1\n.*once\.test\.mjs:8 › in a group › fails at first/,
    )
  })

  test('that hangs is ended, and the test under way is named', async () => {
    write(
      'hanging.mjs',
      `import { appendFileSync } from 'node:fs'
const tell = (event) => appendFileSync(process.env.TEST_EVENTS, JSON.stringify(event) + '\\n')
const files = ['hangs', 'waits'].map((name) => ${JSON.stringify(folder)} + '/' + name + '.test.ts')
tell({ type: 'planned', files })
tell({ type: 'began', file: files[0], line: 7, names: ['forever'] })
setInterval(() => {}, 1000)
`,
    )
    const { failures, isFinished } = await runSuite({
      name: 'gate.test hanging',
      kind: 'unit',
      args: [relative(join(root, 'node_modules'), join(folder, 'hanging.mjs'))],
      idleMs: 5_000,
    })
    expect(isFinished).toBe(false)
    expect(failures.map((failure) => [idOf(failure), failure.errors[0]?.message])).toEqual([
      ['', 'gate.test hanging: no test had ended for 5 s.'],
      [`${inFolder('hangs.test.ts')} › forever`, 'It had not ended when its run was ended.'],
      [inFolder('waits.test.ts'), 'The run ended before this file.'],
    ])
  })

  test('that ends without a word is a failure', async () => {
    write('silent.mjs', `console.log('out of memory')\nprocess.exitCode = 134\n`)
    const { failures } = await runSuite({
      name: 'gate.test silent',
      kind: 'unit',
      args: [relative(join(root, 'node_modules'), join(folder, 'silent.mjs'))],
    })
    expect(failures).toMatchObject([blameless('gate.test silent ended with exit code 134:\nout of memory')])
    expect(deservesSecondTry(failures)).toBe(false)
  })
})

describe('a second try', () => {
  const failure = (file: string, name?: string): Failure => ({
    file,
    names: name === undefined ? [] : [name],
    isTest: name !== undefined,
    errors: [{ message: 'no', diff: '', stack: '' }],
  })
  const entry = (file: string, names: string[], state: TestState) =>
    [idOf({ file, names }), { file, names, state }] as const
  const runOf = (failures: Failure[], passed: [string, string][] = []): TestRun => ({
    tests: new Map([
      ...failures.filter(({ isTest }) => isTest).map(({ file, names }) => entry(file, names, 'failed')),
      ...passed.map(([file, name]) => entry(file, [name], 'passed')),
    ]),
    failures,
    isFinished: true,
  })
  const outcome = (first: TestRun, second: TestRun) => {
    const { failures, passedLater } = mergeTries(first, second)
    return [failures.map(idOf), passedLater.map(idOf)]
  }

  test('is for one to five failures of known files', () => {
    const five = Array.from({ length: 5 }, (_, index) => failure('a.test.ts', `${index}`))
    expect(deservesSecondTry([])).toBe(false)
    expect(deservesSecondTry(five)).toBe(true)
    expect(deservesSecondTry([...five, failure('a.test.ts', 'six')])).toBe(false)
    expect(deservesSecondTry([blameless('it died')])).toBe(false)
  })

  test('decides by test: what fails twice is red, what passes once is not', () => {
    const twice = failure('a.test.ts', 'twice')
    const once = failure('a.test.ts', 'once')
    expect(outcome(runOf([twice, once]), runOf([twice], [['a.test.ts', 'once']]))).toEqual([
      ['a.test.ts › twice'],
      ['a.test.ts › once'],
    ])
    // failed only the second time
    expect(outcome(runOf([once], [['a.test.ts', 'twice']]), runOf([twice], [['a.test.ts', 'once']]))).toEqual(
      [[], ['a.test.ts › once']],
    )
  })

  test('that does not come to a test leaves it red', () => {
    const once = failure('a.test.ts', 'once')
    expect(outcome(runOf([once]), runOf([]))).toEqual([['a.test.ts › once'], []])
    expect(outcome(runOf([failure('a.test.ts')]), runOf([]))).toEqual([['a.test.ts'], []])
  })

  test('mends a hook where its whole file is green then', () => {
    const hook = failure('a.test.ts')
    expect(outcome(runOf([hook]), runOf([], [['a.test.ts', 'b']]))).toEqual([[], ['a.test.ts']])
    expect(outcome(runOf([hook]), runOf([failure('a.test.ts', 'b')], [['a.test.ts', 'c']]))).toEqual([
      ['a.test.ts › b', 'a.test.ts'],
      [],
    ])
  })
})

test('the end is 60 lines at most, whatever failed, and its last line has the counts', () => {
  const failures = Array.from({ length: 100 }, (_, index) => ({
    file: `e2e/some-${index}.spec.ts`,
    line: 10,
    names: ['does a thing'],
    kind: 'browser' as const,
    isTest: true,
    errors: [{ message: `Error: it\n${'long '.repeat(500)}\nExpected: 1\nReceived: 2`, diff: '', stack: '' }],
  }))
  const output = Array.from({ length: 500 }, (_, index) => `error ${index}`).join('\n')
  const steps = [{ name: 'types', seconds: 3, failed: 1, output }]
  const lines = linesOfEnd(mergeResults([{ steps }, { failures, passedLater: failures.slice(0, 5) }]))
  expect(lines.length).toBeLessThanOrEqual(60)
  expect(lines).toContain('   error 9')
  expect(lines).not.toContain('   error 10')
  expect(lines).toContain('   Received: 2')
  expect(lines.find((line) => line.includes(' more; all in '))).toMatch(/^\.\.\. and \d\d more/)
  expect(lines.at(-1)).toBe('0 passed, 101 failed')
})

test('the end of a tool that failed begins where it says so', () => {
  const output = `seed 7\n${'part: ok\n'.repeat(20)}other part: FAILED after 3 s\n  a session is missing\n`
  const lines = linesOfEnd(mergeResults([{ steps: [{ name: 'faults', seconds: 60, failed: 1, output }] }]))
  expect(lines.slice(0, 4)).toEqual([
    'Failed: 1',
    'faults:',
    '   other part: FAILED after 3 s',
    '     a session is missing',
  ])
})

describe('the log of the full test', () => {
  const STEPS = ['checks', 'build', 'unit']
  const record = (step: string, { seed = 7, commit = 'aaaa' } = {}): FullRunRecord => ({
    ...{ endedAt: '2026-11-28T12:00:00.000Z', seed, zone: 'Asia/Kolkata', commit, step },
    results: mergeResults([{ steps: [{ name: step, seconds: 1, failed: 0 }] }]),
  })

  test('has a line for each step that ended, and none for one that was cut off', () => {
    const path = join(folder, 'test-all.jsonl')
    expect(readLog(path)).toEqual([])
    addToLog(path, record('checks'))
    addToLog(path, record('build'))
    appendFileSync(path, '{"endedAt":"2026')
    expect(readLog(path)).toEqual([record('checks'), record('build')])
    // the next step of a resumed run
    addToLog(path, record('unit'))
    expect(readLog(path).map(({ step }) => step)).toEqual(['checks', 'build', 'unit'])
  })

  test('gives back what the last run has drawn, and the newest results of its steps', () => {
    const log = [
      record('checks', { seed: 6 }),
      record('checks'),
      record('build'),
      record('checks', { commit: 'bbbb' }),
    ]
    // the build is repeated
    expect(goOnFrom(log, STEPS, 'unit')).toEqual({
      seed: 7,
      zone: 'Asia/Kolkata',
      done: [record('checks', { commit: 'bbbb' })],
    })
    expect(goOnFrom(log, STEPS, 'checks').done).toEqual([])
  })

  test('has no results of a step that did not end, or that there is not', () => {
    expect(() => goOnFrom([record('checks')], STEPS, 'unit')).toThrow('the last run did not end "build".')
    expect(() => goOnFrom([record('checks')], STEPS, 'units')).toThrow('Steps: checks, build, unit.')
    expect(() => goOnFrom([], STEPS, 'build')).toThrow('there is no run to go on with.')
  })

  test('is of one seed, which gives one zone', () => {
    expect(drawInputs(4711)).toEqual(drawInputs(4711))
    const zones = new Set(Array.from({ length: 50 }, (_, seed) => drawInputs(seed).zone))
    expect(zones.size).toBeGreaterThan(5)
  })
})

describe('the quarantine', () => {
  const entry = {
    file: 'a.test.ts',
    title: 'a group › b',
    message: 'no',
    tree: 'abc',
    red: '2026-11-27',
    green: '2026-11-28',
  }
  const runOf = (names: string[], state: TestState, file = 'a.test.ts') => ({
    tests: new Map([[idOf({ file, names }), { file, names, state }]]),
    failures: state === 'failed' ? [{ file, names, isTest: true, errors: [] }] : [],
  })
  const why = (given: Partial<Quarantined>) => {
    const { file, title, ...more } = { ...entry, ...given }
    const { failures } = setAside(runOf(title.split(' › '), 'failed', file), [{ file, title, ...more }])
    return failures.map(({ errors }) => errors[0]?.message)
  }

  test('takes the failure of a test out, and names the test at each run', () => {
    expect(setAside(runOf(['a group', 'b'], 'failed'), [entry])).toEqual({
      failures: [],
      remarks: ['Quarantined, failed: a.test.ts › a group › b'],
    })
    expect(setAside(runOf(['a group', 'b'], 'passed'), [entry]).remarks).toEqual([
      'Quarantined, passed: a.test.ts › a group › b',
    ])
    expect(setAside(runOf(['a group', 'c'], 'failed'), []).failures).toHaveLength(1)
  })

  test('has no test that is gone, proves a requirement or a mutation, or was not both red and green', () => {
    expect(setAside(runOf(['other'], 'passed'), [entry]).failures).toHaveLength(1)
    expect(why({ title: 'R26: it is safe' })).toEqual([
      'quarantine.json, "R26: it is safe" (a.test.ts): it proves a requirement.',
    ])
    expect(why({ green: '' })).toEqual(['quarantine.json, "a group › b" (a.test.ts): it has no green.'])
    const [mutation] = readMutations('mutations.json')
    expect(why({ file: mutation?.test.file ?? '', title: mutation?.test.name ?? '' })[0]).toMatch(
      /a mutation needs it/,
    )
  })

  test('has ten entries at most', () => {
    const entries = Array.from({ length: 11 }, () => entry)
    expect(setAside(runOf(['a group', 'b'], 'passed'), entries).failures).toHaveLength(1)
  })
})

test('too few tests of mutations are a failure', () => {
  const testsOf = (mutations: ReturnType<typeof readMutations>): TestRun['tests'] =>
    new Map(
      mutations.map(({ test: { file, name } }) => [
        `${file} › ${name}`,
        { file, names: ['a group', name], state: 'passed' as const },
      ]),
    )
  const all = readMutations('mutations.json')
  const ofPage = readMutations('page-mutations.json')
  expect(failuresOfMutations(testsOf([...all, ...ofPage]))).toEqual([])
  expect(failuresOfMutations(testsOf([...all.slice(40), ...ofPage]))).toHaveLength(1)
  expect(failuresOfMutations(new Map())).toHaveLength(2)
})

test('every file that is left out is there, and says how long it takes or what it needs', () => {
  const files = [
    ...leftOut.unit,
    ...leftOut.page,
    ...leftOut.browser.map((each) => ({ ...each, file: `e2e/${each.file}` })),
  ]
  expect(files.filter(({ file }) => !existsSync(join(root, file)))).toEqual([])
  expect(files.filter((each) => !(each.seconds > 0) && !('needs' in each))).toEqual([])
})

test('tests have a home, a zone and a seed of their own, and find no Gemini CLI', () => {
  expect(homedir()).not.toBe(userInfo().homedir)
  expect(readdirSync(homedir())).toEqual([])
  expect(process.env).not.toHaveProperty('GEMINI_CLI_HOME')
  expect(process.env.TZ).toBeDefined()
  expect(Number.isInteger(inject('seed'))).toBe(true)
  const programs = (process.env.PATH ?? '').split(delimiter).map((place) => join(place, 'gemini'))
  expect(programs.filter((program) => existsSync(program))).toEqual([])
})

test('files of the user that appear, change or go while the tests run are a failure', () => {
  const home = mkdtempSync(join(tmpdir(), 'gemini-dash-user-'))
  const folders = [join(home, '.gemini'), join(home, 'nothing')]
  mkdirSync(join(home, '.gemini', 'tmp'), { recursive: true })
  const put = (name: string, text: string) => writeFileSync(join(home, '.gemini', 'tmp', name), text)
  put('old.jsonl', 'a')
  put('lost.jsonl', 'a')
  const before = filesBelow(folders)
  expect(failuresOfUserFiles(before, filesBelow(folders))).toEqual([])
  put('old.jsonl', 'ab')
  put('new.jsonl', 'a')
  rmSync(join(home, '.gemini', 'tmp', 'lost.jsonl'))
  const [failure, ...more] = failuresOfUserFiles(before, filesBelow(folders))
  expect(more).toEqual([])
  expect(failure?.errors[0]?.message).toMatch(/lost\.jsonl, .*new\.jsonl, .*old\.jsonl/)
  rmSync(home, { recursive: true })
})

test('a PATH loses gemini, and nothing else', () => {
  const bin = mkdtempSync(join(tmpdir(), 'gemini-dash-bin-'))
  for (const name of ['gemini', 'other']) symlinkSync(process.execPath, join(bin, name))
  const { path, remove } = pathWithoutGemini(['/nowhere', bin].join(delimiter))
  const [nowhere, links = ''] = path.split(delimiter)
  expect(nowhere).toBe('/nowhere')
  expect(readdirSync(links)).toEqual(['other'])
  remove()
  expect(existsSync(links)).toBe(false)
  rmSync(bin, { recursive: true })
})
