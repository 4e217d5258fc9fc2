import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultPart } from '../fault-part.ts'
import type { Answers } from '../oracle/answers.ts'
import { expectAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { expectUsable } from '../oracle/expect-usable.ts'
import { findDifferences } from '../oracle/find-differences.ts'
import { foldersIn, runCommand, type Server, type Start, startServer } from '../program/start-server.ts'
import { runOnStillHome } from '../still-home.ts'
import type { Trial } from '../trial.ts'

/** Relative to the cache's size: from too small for the databases to enough for all but temporary files. */
const SHARES_PERCENT = [5, 130] as const
const TOLD = 'cannot be kept'
/** The whole cache, or parts that are small enough to fail separately. */
const CODES = ['cache-not-kept']

export const fullDisk: FaultPart = {
  name: 'full-disk',
  does: 'R40: the cache lies on a disk that has too little room, at first or for what comes later',
  needs: ['linux', 'user namespace'],
  run: async (trial) => {
    await runOnStillHome(trial, async ({ home, fresh, cache }) => {
      const share = trial.random.integer(...SHARES_PERCENT) / 100
      await runOnce(trial, home, fresh, Math.ceil((sizeOf(cache) / 1024) * share))
    })
  },
}

async function runOnce(trial: Trial, home: string, fresh: Answers, sizeKb: number): Promise<void> {
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
  const isTold = await isToldBy(server, '/api/health')
  if (isTold !== (await isToldBy(server, '/api/doctor')))
    trial.addDifferences(['health and doctor do not agree on whether the cache is kept'])
  await expectHealthyEnd(trial, server)
  const lines = server
    .stderr()
    .split('\n')
    .filter((line) => line.includes(TOLD))
  if (lines.length > 0 !== isTold || new Set(lines).size < lines.length)
    trial.addDifferences([
      `health ${isTold ? 'tells' : 'does not tell'} that something is not kept, stderr tells: ${lines.join(' / ') || 'nothing'}`,
    ])
}

async function isToldBy(server: Server, path: string): Promise<boolean> {
  const { warnings } = await server.get<{ warnings: { code: string }[] }>(path)
  return warnings.some(({ code }) => CODES.includes(code))
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)).size)
    .reduce((sum, size) => sum + size, 0)
}

/** Each command has its own disk: the namespace ends with it. */
async function expectCommand(trial: Trial, start: Start, fresh: Answers): Promise<void> {
  const { code, stdout, stderr } = await runCommand(start, ['search', 'answer', '--json', '--limit=1000'])
  const { total, hits } = code === 0 ? JSON.parse(stdout) : { total: null, hits: null }
  const expected = { total: fresh.found.answer?.total, hits: fresh.found.answer?.hits }
  trial.addDifferences(findDifferences({ total, hits }, expected))
  const warnings = stderr.split('\n').filter((line) => line !== '')
  if (warnings.length > 1) trial.addDifferences([`search says more than one thing: ${stderr}`])
}
