import { existsSync, readFileSync, realpathSync, writeSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// node run.mjs mcp: the MCP server. node run.mjs session-end: what the hook of Gemini CLI starts when a session ends. Both run the
// gemini-dash of the clone that this extension is in, else the one that is installed. One process: the CLI waits for its hooks.
const [task] = process.argv.slice(2)
const program = findProgram()

if (task === 'session-end') {
  // Whatever happens, the CLI ends as it would without us.
  process.on('exit', () => {
    process.exitCode = 0
  })
  // where its terminal was closed, nobody may read it
  process.on('SIGHUP', () => {})
  try {
    writeSync(1, '{}')
  } catch {}
  const file = readTranscriptPath()
  if (program !== undefined && file !== undefined)
    await run(program, ['keep', 'now', '--session', file, '--quiet'])
} else if (task === 'mcp' && program !== undefined) await run(program, ['mcp'])
else {
  process.stderr.write(
    task === 'mcp'
      ? 'gemini-dash is not built: run "npm start" once in its clone, or install it.\n'
      : 'Usage: node run.mjs mcp|session-end\n',
  )
  process.exitCode = 1
}

async function run(cli, args) {
  process.argv = [process.argv[0], cli, ...args]
  await import(pathToFileURL(cli))
}

/** A link leads to the clone. On Windows a command on the PATH is a script beside the packages. */
function findProgram() {
  const own = dirname(realpathSync(fileURLToPath(import.meta.url)))
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const places = [
    join(own, '..', '..', 'apps', 'gemini-dash', 'dist', 'cli.js'),
    ...(process.platform === 'win32' ? [] : folders.map((folder) => join(folder, 'gemini-dash'))),
    ...folders.map((folder) => join(folder, 'node_modules', 'gemini-dash', 'dist', 'cli.js')),
  ]
  const found = places.find((place) => existsSync(place))
  return found === undefined ? undefined : realpathSync(found)
}

function readTranscriptPath() {
  try {
    const { transcript_path: path } = JSON.parse(readFileSync(0, 'utf8'))
    return typeof path === 'string' && path !== '' ? path : undefined
  } catch {
    return undefined
  }
}
