import { spawn } from 'node:child_process'
import { root } from '../steps/workspace.mjs'

/** A step of a test run. */
export interface RunStep {
  name: string
  seconds: number
  /** Number of failed tests; 1 for a failed step that is not a test suite. */
  failed: number
  /** Output of a failed tool. */
  output?: string
}

/** The start of the output names the error. */
const MOST_OUTPUT = 100_000

/** Static checks. */
const CHECKS = {
  'format and lint': ['@biomejs/biome/bin/biome', 'check', '.'],
  types: ['typescript-native/bin/tsc', '--noEmit', '-p', 'tsconfig.json'],
  'types of the page': ['typescript-native/bin/tsc', '--noEmit', '-p', 'apps/web/tsconfig.json'],
  'dependency rules': [
    'dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'apps',
    'packages',
  ],
  'unused code': ['knip/bin/knip.js'],
}

/** Runs all checks, two at a time, as each keeps one core busy. Resolves to their results, in order. */
export async function runChecks(): Promise<RunStep[]> {
  const done: RunStep[] = []
  const waiting = [...Object.entries(CHECKS).entries()]
  const workOff = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, [name, [entry = '', ...args]]] = next
      done[place] = await runStep(name, [`node_modules/${entry}`, ...args])
    }
  }
  await Promise.all([workOff(), workOff()])
  return done
}

/** Builds the published program, and the one that unit tests start. */
export async function runBuild(): Promise<RunStep[]> {
  const published = await runStep('build', ['scripts/build.mjs'])
  if (published.failed > 0) return [published]
  return [published, await runStep('build for tests', ['--import', 'tsx', 'scripts/gate/build-for-tests.ts'])]
}

export function checksAreGreen(steps: readonly RunStep[]): boolean {
  return steps.every(({ failed }) => failed === 0)
}

/** Runs a Node script in the root of the repository. Its output is passed on to stderr. */
export function runStep(name: string, args: string[]): Promise<RunStep> {
  process.stderr.write(`\n== ${name}\n`)
  const startedAt = Date.now()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text)
      if (output.length < MOST_OUTPUT) output += text
    })
  }
  return new Promise((resolve) => {
    const end = (exitCode: number) => {
      const seconds = Math.round((Date.now() - startedAt) / 1000)
      resolve({ name, seconds, ...(exitCode === 0 ? { failed: 0 } : { failed: 1, output }) })
    }
    child.on('error', (error) => {
      output += error.message
      end(127)
    })
    child.on('close', (code) => end(code ?? 1))
  })
}
