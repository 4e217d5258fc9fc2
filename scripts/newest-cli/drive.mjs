import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findGemini, prepareHome, runGemini } from './gemini.mjs'
import { listenAsModel } from './model-stand-in.mjs'

// node scripts/newest-cli/drive.mjs INSTALLED HOME: runs the Gemini CLI installed below INSTALLED against a stand-in for its model on
// loopback, so that HOME then contains sessions as written by that version. Contacts no other machine.
const CONVERSATIONS = [
  ['-p', 'Read the price file', '--yolo'],
  ['-p', 'Please list files here', '--yolo'],
  ['--resume', 'latest', '-p', 'Now add a note', '--yolo'],
  ['-p', 'This is to be refused'],
]

const [installed, home] = process.argv.slice(2).map((path) => resolve(path))
if (home === undefined) fail('Usage: node scripts/newest-cli/drive.mjs INSTALLED HOME', 2)
const program = findGemini(installed)
if (program === undefined)
  fail(`There is no Gemini CLI below ${installed}. Install @google/gemini-cli there first.`, 2)
const folder = join(home, 'webshop')
prepareHome(home, folder)
const model = await listenAsModel(folder)
const { port } = model.address()
for (const args of CONVERSATIONS) {
  const code = await runGemini(program, { home, folder, port, args })
  process.stderr.write(`gemini ${args.join(' ')}: ${code ?? 'ended after two minutes'}\n`)
}
model.close()
const written = join(home, '.gemini', 'tmp')
const chats = existsSync(written) ? readdirSync(written, { recursive: true }).filter(isSession) : []
if (chats.length === 0) fail(`Gemini CLI wrote no session below ${written}.`, 1)
process.stdout.write(`${chats.length} sessions below ${written}\n`)

function isSession(path) {
  return /session-[^/\\]*\.jsonl?$/.test(path)
}

function fail(sentence, code) {
  process.stderr.write(`${sentence}\n`)
  process.exit(code)
}
