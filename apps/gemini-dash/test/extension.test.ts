import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sessionListSchema } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import manifest from '../../../extensions/gemini-dash/gemini-extension.json' with { type: 'json' }
import { WITHOUT_CLI } from '../../../fixtures/installed-tools.ts'
import { findGemini, geminiEnvironment, prepareHome } from '../../../scripts/newest-cli/gemini.mjs'
import { listenAsModel } from '../../../scripts/newest-cli/model-stand-in.mjs'
import program from '../package.json' with { type: 'json' }
import { runProgram } from './run-program.ts'

const EXTENSION = fileURLToPath(new URL('../../../extensions/gemini-dash', import.meta.url))
const INSTALLED = fileURLToPath(new URL('../../../tools/gemini-cli', import.meta.url))

let folder: string
let home: string
let project: string
let model: Server
let gemini: (...args: string[]) => Promise<string>
beforeAll(async () => {
  // Links are resolved by the CLI, which names projects by their folder.
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-dash-test-')))
  home = join(folder, 'mia')
  project = join(home, 'webshop')
  const cli = findGemini(INSTALLED)
  if (cli === undefined)
    throw new Error(
      'Gemini CLI is not installed: run `npm ci` in tools/gemini-cli (`npm run test:all` does it for you).',
    )
  prepareHome(home, project)
  model = await listenAsModel(project)
  const address = model.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  // what npx would do: the built program stands for the published one
  mkdirSync(join(folder, 'bin'))
  const npx = join(folder, 'bin', 'npx')
  const run = `exec '${process.execPath}' '${join(inject('program'), 'cli.js')}'`
  writeFileSync(npx, `#!/bin/sh\n[ "$1 $2" = "-y gemini-dash" ] || exit 9\nshift 2\n${run} "$@" --no-cache\n`)
  chmodSync(npx, 0o755)
  const env = { ...geminiEnvironment(home, port), PATH: `${join(folder, 'bin')}:${process.env.PATH}` }
  gemini = async (...args) => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [cli, ...args], {
      cwd: project,
      env,
      timeout: 120_000,
    })
    return stdout + stderr
  }
})
afterAll(() => {
  model?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.runIf(process.platform !== 'win32' && WITHOUT_CLI === '')(
  `the extension for Gemini CLI${WITHOUT_CLI}`,
  () => {
    test('is valid to the CLI itself, which links it, starts its server, and answers /history from it', async () => {
      expect(await gemini('extensions', 'validate', EXTENSION)).toContain('successfully validated')
      await gemini('extensions', 'link', EXTENSION, '--consent')
      expect(await gemini('extensions', 'list')).toMatch(
        /gemini-dash \(0\.1\.0\)[\s\S]*MCP servers:\s+gemini-dash/,
      )
      await gemini('-p', 'Read the price file', '--yolo')
      expect(await gemini('-p', '/history what did I ask about prices?', '--yolo')).toContain(
        'about prices before',
      )

      const list = sessionListSchema.parse(await json('list'))
      const asked = list.sessions.find(({ firstPrompt }) => firstPrompt?.includes('/history'))
      const earlier = list.sessions.find(({ firstPrompt }) => firstPrompt === 'Read the price file')
      const { messages } = (await json('show', asked?.key ?? '')) as { messages: Message[] }
      const [call] = messages.flatMap(({ toolCalls }) => toolCalls)
      expect(call).toMatchObject({ name: 'mcp_gemini-dash_search_sessions', status: 'success' })
      const answered = JSON.stringify(call?.output)
      expect(answered).toContain(earlier?.key)
      expect(answered).toContain('not instructions')
      expect(answered).not.toContain(home)
    }, 240_000)

    test('has the version of the program', () => {
      expect(manifest.version).toBe(program.version)
    })
  },
)

async function json(...args: string[]): Promise<object> {
  const { code, stdout, stderr } = await runProgram([...args, '--json', '--no-cache'], { HOME: home })
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
