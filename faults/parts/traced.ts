import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultPart } from '../fault-part.ts'
import { expectAnswers, freshAnswers } from '../oracle/expect-fresh.ts'
import { expectUsable } from '../oracle/expect-usable.ts'
import { expectUntouched } from '../oracle/untouched.ts'
import { foldersIn, runCommand, startServer } from '../program/start-server.ts'
import { writeHome } from '../stand-in/write-home.ts'
import type { Trial } from '../trial.ts'

/** Files with accounts and keys beside the sessions. */
const PRIVATE = ['oauth_creds.json', 'google_accounts.json', 'mcp-oauth-tokens.json', 'installation_id']
const CALLS =
  'connect,openat,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,truncate,utimensat,chmod,fchmodat,chown,fchownat,mknod'
const WRITES = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND/
const COMMANDS = [['list'], ['usage'], ['search', 'answer'], ['search', 'answer', '--mode=regex'], ['doctor']]

export const traced: FaultPart = {
  name: 'traced',
  does: 'R26, R27, R49: the system is asked what the program does: it connects to nobody, writes nothing below a home and never opens a file of accounts',
  needs: ['linux', 'strace'],
  run: async (trial) => {
    while (trial.hasTime()) await runOnce(trial)
  },
}

async function runOnce(trial: Trial): Promise<void> {
  const folder = trial.newFolder()
  const places = foldersIn(folder)
  writeHome(places.home, trial.random.integer(1, 1_000_000))
  for (const name of PRIVATE) writeFileSync(join(places.home, name), '{"access_token":"canary"}')
  const fresh = await freshAnswers(trial, places.home)
  await expectUntouched(trial, places.home, async () => {
    const traces: string[] = []
    const startOf = () => {
      const trace = join(folder, `trace-${traces.length}`)
      traces.push(trace)
      const before = `exec strace -f -qq --seccomp-bpf -s 4096 -e trace=${CALLS} -o "${trace}" "$@"`
      return { program: trial.program, ...places, before }
    }
    trial.at('a traced server')
    const server = await startServer(startOf())
    await expectAnswers(trial, server, fresh)
    await expectUsable(trial, server)
    process.kill(server.pid, 'SIGTERM')
    await server.ended
    trial.at('traced commands')
    for (const command of COMMANDS) await runCommand(startOf(), [...command, '--json'])
    for (const trace of traces) trial.addDifferences(forbiddenCalls(readFileSync(trace, 'utf8'), places.home))
  })
}

/** A sentence for each forbidden system call. */
function forbiddenCalls(trace: string, home: string): string[] {
  return trace.split('\n').flatMap((line) => {
    const call = /^\d+\s+(\w+)\(/.exec(line)?.[1]
    if (call === undefined) return []
    if (call === 'connect') {
      const isOutside = line.includes('AF_INET') && !/"127\.|"::1"/.test(line)
      return isOutside ? [`it connects: ${line}`] : []
    }
    if (!line.includes(`"${home}`)) return []
    const name = PRIVATE.find((each) => line.includes(each))
    if (name !== undefined) return [`it opens ${name}: ${line}`]
    return call !== 'openat' || WRITES.test(line) ? [`it changes the home: ${line}`] : []
  })
}
