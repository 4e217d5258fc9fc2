import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sessionListSchema } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WITHOUT_CLI } from '../../../fixtures/installed-tools.ts'
import { findGemini, geminiEnvironment, prepareHome, runGemini } from '../../../scripts/newest-cli/gemini.mjs'
import { listenAsModel } from '../../../scripts/newest-cli/model-stand-in.mjs'
import { runProgram } from './run-program.ts'

const INSTALLED = fileURLToPath(new URL('../../../tools/gemini-cli', import.meta.url))

let folder: string
let home: string
let project: string
let model: Server
let port: number
let key: string
beforeAll(async () => {
  // The CLI resolves links, and names projects by their folder.
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dash-test-')))
  home = join(folder, 'mia')
  project = join(home, "it's my $(shop)")
  const gemini = findGemini(INSTALLED)
  if (gemini === undefined)
    throw new Error(
      'Gemini CLI is not installed: run `npm ci` in tools/gemini-cli (`npm run test:all` does it for you).',
    )
  prepareHome(home, project)
  model = await listenAsModel(project)
  const address = model.address()
  port = typeof address === 'object' ? (address?.port ?? 0) : 0
  for (const prompt of ['Read the price file', 'Please list files here'])
    await runGemini(gemini, { home, folder: project, port, args: ['-p', prompt, '--yolo'], isQuiet: true })
  mkdirSync(join(folder, 'bin'))
  const command = join(folder, 'bin', 'gemini')
  writeFileSync(
    command,
    `#!/bin/sh\nexec '${process.execPath}' '${gemini}' "$@" -p 'Now add a note' --yolo\n`,
  )
  chmodSync(command, 0o755)
  const { sessions } = sessionListSchema.parse(await json('list'))
  key = sessions.find(({ firstPrompt }) => firstPrompt === 'Read the price file')?.key ?? ''
}, 240_000)
afterAll(() => {
  model?.close()
  rmSync(folder, { recursive: true, force: true })
})

function ask(...args: string[]) {
  const where = ['--cache-dir', join(folder, 'cache'), '--data-dir', join(folder, 'data')]
  return runProgram([...args, ...where], { HOME: home })
}

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await ask(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

async function texts(): Promise<string[]> {
  const { messages } = (await json('show', key)) as { messages: Message[] }
  return messages.flatMap(({ content }) => content.map((part) => ('text' in part ? String(part.text) : '')))
}

describe.runIf(process.platform !== 'win32' && WITHOUT_CLI === '')(`gemini-dash resume${WITHOUT_CLI}`, () => {
  test('prints the command with which Gemini CLI goes on with that very session', async () => {
    const before = await texts()
    const { code, stdout, stderr } = await ask('resume', key)
    expect([code, stderr, stdout.split('\n').length]).toEqual([0, '', 2])
    const PATH = `${join(folder, 'bin')}:${process.env.PATH}`
    const resumed = await promisify(execFile)('bash', ['-c', stdout], {
      cwd: folder,
      env: { ...geminiEnvironment(home, port), PATH },
      timeout: 120_000,
    })
    expect(resumed.stdout.trim()).toBe('The note is written.')
    const after = await texts()
    expect(after.filter((text) => text === 'Now add a note')).toHaveLength(1)
    for (const text of before) expect(after).toContain(text)
  }, 240_000)

  test('says what stands against it, and has no command for what cannot be resumed', async () => {
    rmSync(project, { recursive: true })
    const { code, stdout, stderr } = await ask('resume', key)
    expect([code, stdout.includes(' && gemini --resume ')]).toEqual([0, true])
    expect(stderr).toContain(`${project} doesn’t exist on this computer.`)
    const elsewhere = await ask('resume', key, '--home', home, '--shell', 'powershell')
    expect(elsewhere.stdout).toContain("Set-Location -LiteralPath '")
    const missing = await ask('resume', 'zzzz')
    expect([missing.code, missing.stdout]).toEqual([1, ''])
    expect(missing.stderr).toContain('There is no session "zzzz".')
    const shell = await ask('resume', key, '--shell', 'fish')
    expect([shell.code, shell.stdout]).toEqual([2, ''])
  })
})
