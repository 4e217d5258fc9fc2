import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FaultPart } from '../fault-part.ts'
import { collectAnswers } from '../oracle/answers.ts'
import { expectAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd } from '../oracle/expect-healthy-end.ts'
import { foldersIn, startServer } from '../program/start-server.ts'
import { runOnStillHome, type StillHome } from '../still-home.ts'
import type { Trial } from '../trial.ts'

const SHIM = fileURLToPath(new URL('../shims/failing-fs.cjs', import.meta.url))
const CODES = ['EIO', 'EACCES', 'EMFILE', 'ENFILE', 'EBUSY', 'ESTALE']
const CALLS = ['open', 'read', 'readdir', 'stat']
const LASTS_MS = 1_500

export const ioErrors: FaultPart = {
  name: 'io-errors',
  does: 'R36: opening, reading, listing or asking for the size of random files fails for a while (EIO, EACCES, EMFILE and others), in every thread',
  needs: [],
  run: async (trial) => {
    await runOnStillHome(trial, (still) => runOnce(trial, still))
  },
}

async function runOnce(trial: Trial, { home, fresh }: StillHome): Promise<void> {
  const { cache, data } = foldersIn(trial.newFolder())
  const control = join(trial.newFolder(), 'control')
  const env = { NODE_OPTIONS: `--require ${SHIM}`, FAULT_CONTROL: control }
  // One before the start, and one while it runs.
  const first = fail(trial, home, control)
  const server = await startServer({ program: trial.program, home, cache, data, env })
  for (const fault of [first, null]) {
    trial.at(fault ?? fail(trial, home, control))
    await collectAnswers(server.get).catch(() => undefined)
    await sleep(trial.random.next() * LASTS_MS)
    rmSync(control)
    await expectAnswers(trial, server, fresh)
  }
  await expectHealthyEnd(trial, server)
}

/** Errors occur until the file is removed. */
function fail(trial: Trial, home: string, control: string): string {
  const names = readdirSync(join(home, 'tmp'), { recursive: true, encoding: 'utf8' })
  const part = trial.random.next() < 0.3 ? '/chats/' : trial.random.pick(names)
  const code = trial.random.pick(CODES)
  const calls = CALLS.filter(() => trial.random.next() < 0.5)
  writeFileSync(control, JSON.stringify({ code, part, calls }))
  trial.addFaults()
  return `${code} of ${calls.join(', ')} wherever the path holds "${part}"`
}
