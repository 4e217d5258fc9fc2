import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { root } from '../steps/workspace.mjs'

/** Enough of Vitest's output to see why nothing ran. */
const OUTPUT_LENGTH = 2_000

/**
 * Runs tests by the ends of their full names in a separate process, with or without a mutation. The working tree is untouched: the mutation
 * is applied while the file is loaded.
 *
 * @returns {Promise<{ results: { file: string, fullName: string, status: string, messages: string[] }[], output: string }>}
 */
export async function runTests(files, names, mutation = null) {
  const folder = mkdtempSync(join(tmpdir(), 'mutations-'))
  const report = join(folder, 'report.json')
  const pattern = `(${names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})$`
  const isOfPage = files.every((file) => file.endsWith('.tsx'))
  const args = [
    'run',
    '--config',
    isOfPage ? 'vitest.config.ts' : 'scripts/mutations/vitest.config.ts',
    ...(isOfPage ? ['--project', 'page'] : []),
    '--root',
    root,
    '-t',
    pattern,
    ...files,
  ]
  try {
    const output = await runVitest([...args, '--reporter=json', `--outputFile=${report}`], mutation)
    return readReport(report, output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function runVitest(args, mutation) {
  const entry = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  // random tests need time to find a mutation; without one there is nothing to find
  const seconds = { FUZZ_SECONDS: mutation ? '20' : '1' }
  const change = { MUTATION: mutation ? JSON.stringify(mutation) : '' }
  const env = { ...process.env, NO_COLOR: '1', ...seconds, ...change }
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [entry, ...args], { cwd: root, env })
    let output = ''
    const listen = (bytes) => {
      output = (output + bytes).slice(-OUTPUT_LENGTH)
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.on('error', (error) => resolve(error.message))
    child.on('close', () => resolve(output))
  })
}

function readReport(path, output) {
  let report
  try {
    report = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return { results: [], output }
  }
  const results = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        file: relative(root, name).replaceAll('\\', '/'),
        fullName,
        status,
        messages: failureMessages ?? [],
      })),
  )
  // A file that cannot be loaded has its own message and no tests.
  return { results, output: report.testResults.map(({ message }) => message).join('\n') || output }
}
