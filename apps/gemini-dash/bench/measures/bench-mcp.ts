import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { writeFixHome } from '../../../../fixtures/write-fix-home.ts'
import type { Figure } from '../figures/figure.ts'
import { targets } from '../figures/targets.ts'
import { timeOf } from '../program/time-of.ts'
import { newFolder, type Workbench } from '../program/workbench.ts'

const SESSIONS = 1_000
/** Questions of an agent, about commands that most sessions ran, and few. */
const COMMANDS = [
  'npm test',
  'how are the tests run',
  'docker compose up',
  'pip install',
  'cargo check',
  'git status',
]

/** The time an agent waits between question and answer, with the official client and the built program. */
export async function benchMcp(bench: Workbench): Promise<Figure[]> {
  const folder = newFolder(bench, 'mcp')
  const { questions, sessions } = writeFixHome(folder, { seed: bench.options.seed, sessions: SESSIONS })
  const args = ['--home', folder, '--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
  const client = new Client({ name: 'bench', version: '1' })
  const transport = new StdioClientTransport({
    command: bench.runtime.executable,
    args: [bench.program, 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', HOME: folder },
  })
  try {
    await client.connect(transport)
    const ask = (name: string, question: object) =>
      timeOf(async () => {
        const { content } = await client.callTool({ name, arguments: { ...question } })
        return JSON.parse((content as { text: string }[])[0]?.text ?? '{}')
      })
    while ((await ask('list_sessions', { limit: 1 })).result.read !== undefined);
    while ((await ask('find_fix', { error: 'Error: not met' })).result.read !== undefined);
    const fixes = { answered: [] as number[], refused: [] as number[], problems: new Set<string>() }
    for (const { error, answer, about } of questions) {
      const { milliseconds, result } = await ask('find_fix', { error })
      fixes[answer === null ? 'refused' : 'answered'].push(milliseconds)
      const [first] = result.fixes
      const quote = first?.fix?.new ?? first?.fix?.command ?? null
      if (quote !== (answer?.quote ?? null)) fixes.problems.add(`another answer: ${about}`)
    }
    const commands: number[] = []
    for (let run = 0; run < bench.options.runs * 4; run += 1)
      for (const words of COMMANDS) commands.push((await ask('find_command', { words })).milliseconds)
    const shared = { benchmark: 'mcp', unit: 'ms', target: targets.agentAnswer } as const
    const problems = [...fixes.problems]
    return [
      {
        ...shared,
        name: `find_fix, answered, ${sessions} sessions`,
        values: fixes.answered,
        problems,
        checked: 'the first hit',
      },
      {
        ...shared,
        name: 'find_fix, refused',
        values: fixes.refused,
        problems,
        checked: 'that none is given',
      },
      { ...shared, name: 'find_command', values: commands, problems: [] },
    ]
  } finally {
    await client.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
