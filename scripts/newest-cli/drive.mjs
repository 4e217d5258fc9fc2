import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { listenAsModel } from './model-stand-in.mjs'

// node scripts/newest-cli/drive.mjs INSTALLED HOME: lets the Gemini CLI that is installed below INSTALLED talk to a stand-in
// of its model on loopback, so that HOME then holds sessions as that version writes them. Asks no other machine.
const CONVERSATIONS = [
  ['-p', 'Read the price file', '--yolo'],
  ['-p', 'Please list files here', '--yolo'],
  ['--resume', 'latest', '-p', 'Now add a note', '--yolo'],
  ['-p', 'This is to be refused'],
]
const PATIENCE_MS = 120_000

const [installed, home] = process.argv.slice(2).map((path) => resolve(path))
if (home === undefined) fail('Usage: node scripts/newest-cli/drive.mjs INSTALLED HOME', 2)
const program = ['bundle/gemini.js', 'dist/index.js']
  .map((path) => join(installed, 'node_modules', '@google', 'gemini-cli', path))
  .find((path) => existsSync(path))
if (program === undefined)
  fail(`There is no Gemini CLI below ${installed}. Install @google/gemini-cli there first.`, 2)
const folder = join(home, 'webshop')
prepare()
const model = await listenAsModel(folder)
for (const args of CONVERSATIONS) await run(args)
model.close()
const written = join(home, '.gemini', 'tmp')
const chats = existsSync(written) ? readdirSync(written, { recursive: true }).filter(isSession) : []
if (chats.length === 0) fail(`Gemini CLI wrote no session below ${written}.`, 1)
process.stdout.write(`${chats.length} sessions below ${written}\n`)

function prepare() {
  mkdirSync(folder, { recursive: true })
  mkdirSync(join(home, '.gemini'), { recursive: true })
  writeFileSync(
    join(folder, 'price.js'),
    'export const total = (prices) => prices.reduce((a, b) => a + b, 0)\n',
  )
  const settings = {
    selectedAuthType: 'gemini-api-key',
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
    general: { enableAutoUpdate: false, disableAutoUpdate: true, sessionRetention: { enabled: false } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    tools: { useRipgrep: false, shell: { enableInteractiveShell: false } },
    ide: { enabled: false, hasSeenNudge: true },
  }
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings))
}

/** It may end as it likes: what it wrote is judged. */
function run(args) {
  const { port } = model.address()
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GEMINI_CLI_HOME: home,
    GEMINI_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${port}`,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_CLI_NO_RELAUNCH: '1',
    NO_BROWSER: '1',
    CI: '1',
  }
  return new Promise((done) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: PATIENCE_MS,
    })
    child.on('exit', (code) => {
      process.stderr.write(`gemini ${args.join(' ')}: ${code ?? 'ended after two minutes'}\n`)
      done()
    })
  })
}

function isSession(path) {
  return /session-[^/\\]*\.jsonl?$/.test(path)
}

function fail(sentence, code) {
  process.stderr.write(`${sentence}\n`)
  process.exit(code)
}
