import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultPart } from '../fault-part.ts'
import type { Answers } from '../oracle/answers.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { expectUsable } from '../oracle/expect-usable.ts'
import { findDifferences } from '../oracle/find-differences.ts'
import { expectUntouched } from '../oracle/untouched.ts'
import { foldersIn, runCommand, type Start, startServer } from '../program/start-server.ts'
import { writeHome } from '../stand-in/write-home.ts'
import type { Trial } from '../trial.ts'

/** From where not even the databases fit to where most of the cache does. */
const SIZES_KB = [64, 2_500] as const
const TOLD = /cannot be kept/g

export const fullDisk: FaultPart = {
  name: 'full-disk',
  does: 'R40: the cache lies on a disk that has too little room, at first or for what comes later',
  needs: ['linux', 'user namespace'],
  run: async (trial) => {
    const { home } = foldersIn(trial.newFolder())
    writeHome(home, trial.seed)
    const fresh = await freshAnswers(trial, home)
    await expectUntouched(trial, home, async () => {
      while (trial.hasTime()) await runOnce(trial, home, fresh)
    })
  },
}

async function runOnce(trial: Trial, home: string, fresh: Answers): Promise<void> {
  const sizeKb = trial.random.integer(...SIZES_KB)
  trial.at(`a disk of ${sizeKb} kB`)
  trial.addFaults()
  const { data } = foldersIn(trial.newFolder())
  const disk = trial.newFolder()
  mkdirSync(join(disk, 'mount'))
  const mount = `mount -t tmpfs -o size=${sizeKb}k tmpfs "${disk}/mount"`
  const start = {
    program: trial.program,
    home,
    data,
    cache: join(disk, 'mount', 'cache'),
    before: `exec unshare -Urm bash -c '${mount} && exec "$@"' bash "$@"`,
  }
  await expectCommand(trial, start, fresh)
  const server = await startServer(start)
  await expectAnswers(trial, server, fresh)
  await expectUsable(trial, server)
  const { warnings } = await server.get<{ warnings: { code: string }[] }>('/api/health')
  const isTold = warnings.some(({ code }) => code === 'cache-not-kept')
  await expectHealthyEnd(trial, server)
  const times = server.stderr().match(TOLD)?.length ?? 0
  if (times !== (isTold ? 1 : 0))
    trial.addDifferences([
      `health ${isTold ? 'tells' : 'does not tell'} that nothing is kept, stderr does ${times} times`,
    ])
}

/** Each has a disk of its own: the namespace ends with the command. */
async function expectCommand(trial: Trial, start: Start, fresh: Answers): Promise<void> {
  const { code, stdout, stderr } = await runCommand(start, ['search', 'answer', '--json', '--limit=1000'])
  const { total, hits } = code === 0 ? JSON.parse(stdout) : { total: null, hits: null }
  const expected = { total: fresh.found.answer?.total, hits: fresh.found.answer?.hits }
  trial.addDifferences(findDifferences({ total, hits }, expected))
  const warnings = stderr.split('\n').filter((line) => line !== '')
  if (warnings.length > 1) trial.addDifferences([`search says more than one thing: ${stderr}`])
}
