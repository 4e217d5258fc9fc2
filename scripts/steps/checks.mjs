import { join } from 'node:path'
import { run } from './run.mjs'
import { root } from './workspace.mjs'

/** So much of what a step without a report printed is told again at the end, where it failed. */
const LAST_LINES = 40

/** What is looked at without running anything of ours. */
const CHECKS = [
  { name: 'format and lint', entry: '@biomejs/biome/bin/biome', args: ['check', '.'] },
  { name: 'types', entry: 'typescript-native/bin/tsc', args: ['--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'types of the page',
    entry: 'typescript-native/bin/tsc',
    args: ['--noEmit', '-p', 'apps/web/tsconfig.json'],
  },
  {
    name: 'dependency rules',
    entry: 'dependency-cruiser/bin/dependency-cruise.mjs',
    args: ['--config', '.dependency-cruiser.cjs', 'apps', 'packages'],
  },
  { name: 'unused code', entry: 'knip/bin/knip.js', args: [] },
]

/** Runs all checks, two at once, as each keeps one core busy. Resolves to their results, in their order. */
export async function runChecks() {
  const done = []
  const waiting = [...CHECKS.entries()]
  const workOff = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, { name, entry, args }] = next
      done[place] = await step(name, (onOutput) => runTool(entry, args, {}, onOutput), countExit)
    }
  }
  await Promise.all([workOff(), workOff()])
  return done
}

/** A program of an installed package. Resolves to its exit code. */
export function runTool(entry, args, env = {}, onOutput) {
  return run(process.execPath, [join(root, 'node_modules', entry), ...args], {
    env: { ...env, NO_COLOR: '1' },
    onOutput,
  })
}

/**
 * Runs a step and counts it. A step that failed without a failed test still counts as one failure, and the end of what it handed
 * to `onOutput` says why.
 */
export async function step(name, work, count) {
  process.stderr.write(`\n== ${name}\n`)
  const startedAt = Date.now()
  let output = ''
  const exitCode = await work((text) => {
    output += text
  })
  const counts = count(exitCode)
  if (exitCode !== 0 && counts.failed === 0) counts.failed = 1
  if (exitCode !== 0 && !counts.failures?.length) {
    const lines = output.trimEnd().split('\n').slice(-LAST_LINES)
    counts.failures = [[name, ...lines.map((line) => `    ${line}`)].join('\n')]
  }
  return { name, seconds: Math.round((Date.now() - startedAt) / 1000), ...counts }
}

export function countExit(exitCode) {
  return { passed: 0, failed: exitCode === 0 ? 0 : 1 }
}

/** Prints what failed and why, what came of the steps, and ends with 1 where one failed. */
export function tellResults(steps) {
  const failures = steps.flatMap((each) => each.failures ?? [])
  if (failures.length > 0) process.stdout.write(`\nWhat failed:\n\n${failures.join('\n\n')}\n`)
  const lines = steps.map(({ name, seconds, passed, failed }) => {
    const counts = passed + failed > 0 ? `${passed} passed, ${failed} failed` : 'ok'
    return `${name.padEnd(20)} ${String(seconds).padStart(4)} s   ${failed > 0 && passed === 0 ? 'failed' : counts}`
  })
  const passed = steps.reduce((sum, each) => sum + each.passed, 0)
  const failed = steps.reduce((sum, each) => sum + each.failed, 0)
  process.stdout.write(`\n${lines.join('\n')}\n\n${passed} passed, ${failed} failed\n`)
  process.exitCode = failed > 0 ? 1 : 0
}
