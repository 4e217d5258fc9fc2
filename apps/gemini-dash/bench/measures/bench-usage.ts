import { join } from 'node:path'
import type { UsageReport } from '@gemini-dash/api'
import { questionPath } from '@gemini-dash/api'
import type { Figure } from '../figures/figure.ts'
import { targets } from '../figures/targets.ts'
import { runTool } from '../program/run-tool.ts'
import { timeOf } from '../program/time-of.ts'
import { newFolder, type Workbench, withReadyServer } from '../program/workbench.ts'

const ANSWERS_PER_RUN = 10
const FIELDS = ['input', 'output', 'cached', 'thoughts', 'tool', 'total'] as const

/** Totals from the running server, and from a command that has to read everything first. */
export async function benchUsage(bench: Workbench): Promise<Figure[]> {
  return [await benchAnswers(bench), await benchCommand(bench)]
}

async function benchAnswers(bench: Workbench): Promise<Figure> {
  const values: number[] = []
  const problems = new Set<string>()
  await withReadyServer(bench, {}, async ({ get }) => {
    for (let answer = 0; answer < bench.options.runs * ANSWERS_PER_RUN; answer += 1) {
      const by = (['day', 'model', 'project'] as const)[answer % 3]
      const asked = await timeOf(() => get<UsageReport>(questionPath('usage', { by, tz: 'UTC' })))
      values.push(asked.milliseconds)
      for (const problem of checkUsage(bench, asked.result)) problems.add(problem)
    }
  })
  return {
    benchmark: 'usage',
    name: 'totals by day, model, project',
    unit: 'ms',
    values,
    target: targets.usageTotals,
    checked: 'all six token counts',
    problems: [...problems],
  }
}

/** In MB/s, as jq can only read the JSON files, not the logs. */
async function benchCommand(bench: Workbench): Promise<Figure> {
  const { home, manifest, options, program, runtime } = bench
  const values: number[] = []
  let byJq: number[] | null = []
  const problems = new Set<string>()
  for (let run = 0; run < options.runs; run += 1) {
    const data = newFolder(bench, 'usage')
    const args = [program, 'usage', '--json', '--no-cache', '--home', home, '--data-dir', data]
    const ours = await timeOf(() => runTool(runtime.executable, args))
    values.push(manifest.bytes / 1e3 / ours.milliseconds)
    for (const problem of checkUsage(bench, JSON.parse(ours.result ?? '{}'))) problems.add(problem)
    const jq = await timeOf(() => jqTotal(home))
    if (jq.result === null) byJq = null
    else if (jq.result !== manifest.jsonTokensTotal)
      problems.add(`jq counts ${jq.result} tokens in the JSON files, not ${manifest.jsonTokensTotal}`)
    else byJq?.push(manifest.jsonBytes / 1e3 / jq.milliseconds)
  }
  return {
    benchmark: 'usage',
    name: 'the same by command, nothing kept',
    unit: 'MB/s',
    values,
    comparisons: [{ tool: 'jq, the JSON files only', values: byJq }],
    checked: 'all six token counts',
    problems: [...problems],
  }
}

function checkUsage({ manifest }: Workbench, { total }: UsageReport): string[] {
  const { tokens, supersededTokens } = manifest
  return FIELDS.filter((field) => total.usage[field] !== tokens[field] + supersededTokens[field]).map(
    (field) => `${field}: ${total.usage[field]} tokens, not ${tokens[field] + supersededTokens[field]}`,
  )
}

function jqTotal(home: string): number | null {
  const filter = '[.messages[].tokens.total // 0] | add'
  const files = ['-type', 'f', '-path', '*/chats/*', '-name', '*.json']
  const printed = runTool('find', [join(home, 'tmp'), ...files, '-exec', 'jq', filter, '{}', '+'])
  const sums = printed?.trim().split('\n') ?? []
  return runTool('jq', ['--version']) === null ? null : sums.reduce((sum, line) => sum + Number(line), 0)
}
