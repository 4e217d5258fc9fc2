import type { SessionList } from '../../packages/api/src/index.ts'
import type { FaultPart } from '../fault-part.ts'
import { type Answers, collectAnswers } from '../oracle/answers.ts'
import { freshAnswers } from '../oracle/expect-fresh.ts'
import { expectHealthyEnd, expectQuiet } from '../oracle/expect-healthy-end.ts'
import { findDifferences } from '../oracle/find-differences.ts'
import { expectUntouched } from '../oracle/untouched.ts'
import { foldersIn, runCommand, type Server, type Start, startServer } from '../program/start-server.ts'
import { writeHome } from '../stand-in/write-home.ts'
import type { Trial } from '../trial.ts'

const LIMITS = [24, 80] as const
const SHOWN = 20

export const fewDescriptors: FaultPart = {
  name: 'few-descriptors',
  does: 'R35: a process may open few files: it answers whole, tells what it could not read, or says what to raise and ends',
  needs: ['linux'],
  run: async (trial) => {
    const { home } = foldersIn(trial.newFolder())
    writeHome(home, trial.seed)
    const fresh = await freshAnswers(trial, home)
    await expectUntouched(trial, home, async () => {
      while (trial.hasTime()) {
        const limit = trial.random.integer(...LIMITS)
        trial.at(`ulimit -n ${limit}`)
        trial.addFaults()
        const places = foldersIn(trial.newFolder())
        const start = { program: trial.program, ...places, home, before: `ulimit -n ${limit}` }
        await expectCommand(trial, start, fresh)
        await expectServer(trial, start, fresh)
      }
    })
  },
}

async function expectCommand(trial: Trial, start: Start, fresh: Answers): Promise<void> {
  const { code, stdout, stderr } = await runCommand(start, ['list', '--kind=all', '--json', '--limit=1000'])
  expectQuiet(trial, stderr)
  if (code === 0) {
    const { sessions }: SessionList = JSON.parse(stdout)
    trial.addDifferences(findDifferences(sessions, fresh.rows).slice(0, SHOWN))
  } else if (!/ulimit -n/.test(stderr) && code !== 3)
    trial.addDifferences([`list ended with ${code} and does not say what to raise: ${stderr}`])
}

async function expectServer(trial: Trial, start: Start, fresh: Answers): Promise<void> {
  let server: Server
  try {
    server = await startServer(start)
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error)
    expectQuiet(trial, said)
    if (!/ulimit -n/.test(said)) trial.addDifferences([`the server does not say what to raise: ${said}`])
    return
  }
  try {
    await server.whenReady()
    const answers = await collectAnswers(server.get)
    const { unread } = await server.get<SessionList>('/api/sessions?limit=0')
    if (unread === undefined) trial.addDifferences(findDifferences(answers, fresh).slice(0, SHOWN))
  } catch (error) {
    // With so few files it may refuse what it is asked, and say why.
    const said = error instanceof Error ? error.message : String(error)
    if (!/ulimit -n|EMFILE|open files/.test(said + server.stderr())) trial.addDifferences([said])
    await server.end('SIGKILL')
    return
  }
  await expectHealthyEnd(trial, server)
}
