import { setTimeout as sleep } from 'node:timers/promises'
import { type Health, questionPath } from '../../packages/api/src/index.ts'
import type { FaultPart } from '../fault-part.ts'
import type { Answers } from '../oracle/answers.ts'
import { expectAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd, expectQuiet } from '../oracle/expect-healthy-end.ts'
import { findDifferences } from '../oracle/find-differences.ts'
import { foldersIn, runCommand, type Server, type Start, startServer } from '../program/start-server.ts'
import { runOnStillHome, type StillHome } from '../still-home.ts'
import type { Trial } from '../trial.ts'

const SERVERS = 3
const SHOWN = 20
/** The owner of the cache checks every five seconds whether it still is. */
const NOTICED_MS = 6_000

export const severalAtOnce: FaultPart = {
  name: 'several-at-once',
  does: 'R41: three servers and five commands start at the same moment on one empty cache, and one of the servers is killed',
  needs: [],
  run: async (trial) => {
    await runOnStillHome(trial, (still) => runOnce(trial, still))
  },
}

async function runOnce(trial: Trial, { home, fresh }: StillHome): Promise<void> {
  const { cache } = foldersIn(trial.newFolder())
  // Servers with a common data folder find each other, and only one would start.
  const startOf = (): Start => ({
    program: trial.program,
    home,
    cache,
    data: foldersIn(trial.newFolder()).data,
  })
  trial.at('several at once')
  const [servers] = await Promise.all([
    Promise.all(Array.from({ length: SERVERS }, () => startServer(startOf()))),
    expectCommands(trial, startOf(), fresh),
  ])
  // This may or may not be the owner of the cache.
  const killed = trial.random.pick(servers)
  const others = servers.filter((server) => server !== killed)
  await killed.end('SIGKILL')
  trial.addFaults()
  for (const server of others) await expectAnswers(trial, server, fresh)
  await sleep(trial.isBounded ? 0 : NOTICED_MS)
  if (!trial.isBounded) {
    trial.at('beside several at once')
    const late = await startServer(startOf())
    await expectAnswers(trial, late, fresh)
    others.push(late)
  }
  for (const server of others) {
    await expectPeace(trial, server)
    await expectHealthyEnd(trial, server)
  }
  trial.at('after several at once')
  const next = await startServer(startOf())
  await expectAnswers(trial, next, fresh)
  await expectPeace(trial, next)
  await expectHealthyEnd(trial, next)
}

/** A server that finds the cache in use must leave it alone, and a running owner must not lose it. */
async function expectPeace(trial: Trial, server: Server): Promise<void> {
  const { warnings } = await server.get<Health>(questionPath('health'))
  const told = warnings.filter(({ code }) => code === 'cache-not-kept')
  trial.addDifferences(told.map(({ message }) => `a server lost its cache to another one: ${message}`))
}

async function expectCommands(trial: Trial, start: Start, fresh: Answers): Promise<void> {
  const wanted: [string[], unknown][] = [
    [['list', '--kind=all'], { sessions: fresh.rows }],
    [['usage', '--by=model'], { rows: fresh.usage.model?.rows, total: fresh.usage.model?.total }],
    [
      ['search', 'answer', '--limit=1000'],
      { total: fresh.found.answer?.total, hits: fresh.found.answer?.hits },
    ],
    [['search', 'is:error', '--limit=1000'], { hits: fresh.found['is:error']?.hits }],
    [['doctor'], { files: fresh.doctor.files, issues: fresh.doctor.issues }],
  ]
  const expectOne = async (args: string[], expected: object): Promise<void> => {
    const { stdout, stderr } = await runCommand(start, [...args, '--json'])
    expectQuiet(trial, stderr)
    const answer = JSON.parse(stdout)
    const seen = Object.fromEntries(Object.keys(expected).map((name) => [name, answer[name]]))
    const differences = findDifferences(seen, expected)
    trial.addDifferences(differences.slice(0, SHOWN).map((difference) => `${args.join(' ')}${difference}`))
  }
  await Promise.all(wanted.map(([args, expected]) => expectOne(args, Object(expected))))
}
