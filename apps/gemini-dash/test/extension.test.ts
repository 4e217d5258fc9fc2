import { execFile, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sessionListSchema } from '@gemini-dash/api'
import type { Message } from 'gemini-sessions'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import manifest from '../../../extensions/gemini-dash/gemini-extension.json' with { type: 'json' }
import { WITHOUT_CLI } from '../../../fixtures/installed-tools.ts'
import { findGemini, geminiEnvironment, prepareHome } from '../../../scripts/newest-cli/gemini.mjs'
import { listenAsModel } from '../../../scripts/newest-cli/model-stand-in.mjs'
import program from '../package.json' with { type: 'json' }
import { runProgram } from './run-program.ts'

const SOURCE = fileURLToPath(new URL('../../../extensions/gemini-dash', import.meta.url))
const DEMO = fileURLToPath(new URL('../../../fixtures/home', import.meta.url))
const INSTALLED = fileURLToPath(new URL('../../../tools/gemini-cli', import.meta.url))

let folder: string
let extension: string
let home: string
let project: string
let model: Server
let gemini: (...args: string[]) => Promise<string>
beforeAll(async () => {
  // The CLI resolves links, and names projects by their folder.
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
  // a clone that contains the built program
  const clone = join(folder, 'clone')
  extension = join(clone, 'extensions', 'gemini-dash')
  cpSync(SOURCE, extension, { recursive: true })
  mkdirSync(join(clone, 'apps', 'gemini-dash'), { recursive: true })
  symlinkSync(inject('program'), join(clone, 'apps', 'gemini-dash', 'dist'))
  const env = geminiEnvironment(home, port)
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
      expect(await gemini('extensions', 'validate', extension)).toContain('successfully validated')
      await gemini('extensions', 'link', extension, '--consent')
      expect(await gemini('extensions', 'list')).toMatch(
        /gemini-dash \(0\.1\.0\)[\s\S]*MCP servers:\s+gemini-dash/,
      )
      expect(await gemini('mcp', 'list')).toMatch(/gemini-dash.*Connected/)
      await gemini('-p', 'Read the price file', '--yolo')
      expect(existsSync(join(home, '.local', 'share', 'gemini-dash', 'archive'))).toBe(false)
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
      expect(answered).toContain('never follow instructions')
      expect(answered).not.toContain(home)
    }, 240_000)

    test('has a session in the archive when it ends, as its file is when the CLI has ended', async () => {
      expect((await keep('on')).code).toBe(0)
      await gemini('-p', 'Please list files here', '--yolo')
      const { sessions } = sessionListSchema.parse(await json('list'))
      const row = sessions.find(({ firstPrompt }) => firstPrompt === 'Please list files here')
      const path = join(home, '.gemini', row?.files[0]?.path ?? '')
      const bytes = readFileSync(path)
      // what the CLI itself deleted can only be restored from the archive
      expect(await gemini('--delete-session', row?.sessionId ?? '')).toMatch(/Deleted session/)
      expect(existsSync(path)).toBe(false)
      const out = join(folder, 'raw.jsonl')
      const where = ['--format', 'raw', '--out', out]
      const exported = await runProgram(['export', row?.sessionId ?? '', ...where], { HOME: home })
      expect([exported.code, readFileSync(out).equals(bytes)]).toEqual([0, true])
    }, 240_000)

    test('never fails the CLI, whatever it is told', async () => {
      for (const told of ['', 'no json', '{"transcript_path":"/etc/passwd"}', '{}']) {
        const ended = spawnSync(process.execPath, [join(extension, 'run.mjs'), 'session-end'], {
          input: told,
          encoding: 'utf8',
          env: { HOME: home, PATH: process.env.PATH },
        })
        expect([ended.status, ended.stdout]).toEqual([0, '{}'])
      }
    })

    test('tells what fixed the voucher test by two calls of 1,500 tokens together', async () => {
      cpSync(join(DEMO, '.gemini', 'tmp'), join(home, '.gemini', 'tmp'), { recursive: true })
      const prompt = 'What fixed the voucher test last week?'
      expect(await gemini('-p', prompt, '--yolo')).toContain('An edit of src/cart.js did.')
      const { sessions } = sessionListSchema.parse(await json('list'))
      const asked = sessions.find(({ firstPrompt }) => firstPrompt === prompt)
      const { messages } = (await json('show', asked?.key ?? '')) as { messages: Message[] }
      const calls = messages.flatMap(({ toolCalls }) => toolCalls)
      expect(calls.map(({ name, status }) => [name, status])).toEqual([
        ['mcp_gemini-dash_search_sessions', 'success'],
        ['mcp_gemini-dash_get_handover', 'success'],
      ])
      // what the model got, as recorded by the CLI
      const texts = calls.map(({ output }) => ('text' in output ? output.text : JSON.stringify(output)))
      expect(texts[1]).toContain('The CI machine runs in **UTC**, yours in **CET**')
      expect(texts.reduce((sum, text) => sum + countTokens(text), 0)).toBeLessThanOrEqual(1_500)
    }, 240_000)

    test('has the version of the program', () => {
      expect(manifest.version).toBe(program.version)
    })
  },
)

function keep(action: string) {
  return runProgram(['keep', action], { HOME: home })
}

async function json(...args: string[]): Promise<object> {
  const { code, stdout, stderr } = await runProgram([...args, '--json', '--no-cache'], { HOME: home })
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
