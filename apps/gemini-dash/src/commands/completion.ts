import { homedir } from 'node:os'
import { parseArgs } from 'node:util'
import { readFileNameTime, readSessionPath, sessionKey } from 'gemini-sessions'
import {
  type GeminiHome,
  type ProjectHint,
  readHeads,
  resolveProjects,
  scanHomes,
  tellApart,
} from 'gemini-sessions/node'
import { chooseHomes } from '../environment/choose-homes.ts'
import { escapeControls, escapeLine } from '../print/escape-controls.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'
import { COMPLETION_SHELLS, completionScript } from '../terminal/completion-script.ts'

/** Prints the script of a shell, or what the scripts offer: `keys` or `projects`, behind `--` the words typed so far. */
export const completion: RunCommand = async ({ positionals: [wanted, ...words], terminal }) => {
  if (wanted === 'keys' || wanted === 'projects') {
    const lines = await offered(wanted, words).catch(() => [])
    return terminal.write(lines.map((line) => `${line}\n`).join(''))
  }
  const shell = COMPLETION_SHELLS.find((each) => each === wanted)
  if (shell === undefined) {
    throw new CliError(
      2,
      wanted === undefined ? 'Completion for which shell?' : `There is no completion for "${wanted}".`,
      `Write: gemini-dash completion ${COMPLETION_SHELLS.join('|')}. The first lines of the script say where it goes.`,
    )
  }
  const [extra] = words
  if (extra !== undefined) throw new CliError(2, `"${extra}" is one word too many.`)
  await terminal.write(completionScript(shell))
}

const MOST_ABOUT = 60
/** More are nothing to choose from, and would have the shell wait. */
const MOST_FILES = 500

/** Read from names and first lines of files alone: no cache, no server, nothing is written. */
async function offered(what: 'keys' | 'projects', words: readonly string[]): Promise<string[]> {
  const homes = homesOf(words)
  const { files, projects } = await scanHomes(homes)
  if (what === 'projects') {
    // one file of each folder tells what the folder itself may not
    const newest = new Map(
      files.toSorted((a, b) => a.mtimeMs - b.mtimeMs).map((file) => [file.projectFolder, file]),
    )
    const heads = await readHeads([...newest.values()])
    const hints = [...heads].map(
      ([{ projectFolder }, { projectHash, directories, contextPaths }]): ProjectHint => {
        return { projectFolder, projectHash, directories, contextPaths }
      },
    )
    const names = tellApart(resolveProjects(homes, projects, hints)).map(({ name }) => name)
    return [...new Set(names)].filter(isHarmless).sort()
  }
  const latest = files.toSorted((a, b) => b.mtimeMs - a.mtimeMs).slice(0, MOST_FILES)
  const sessions = new Map<string, { key: string; start: string; about: string }>()
  for (const [{ path }, { sessionId, firstStartTime, kind, firstPrompt }] of await readHeads(latest)) {
    const { parentId, nameId, stem } = readSessionPath(path)
    if (parentId !== null || kind === 'subagent') continue
    const id = sessionId ?? nameId
    const start = firstStartTime ?? readFileNameTime(path) ?? ''
    const known = sessions.get(id)
    // of several files of one session the earliest gives the key
    if (known !== undefined && known.start <= start) continue
    const about = [...escapeLine(firstPrompt ?? '')].slice(0, MOST_ABOUT).join('')
    sessions.set(id, { key: sessionKey(id, firstStartTime ?? stem), start, about })
  }
  return [...sessions.values()]
    .filter(({ key }) => isHarmless(key))
    .sort((a, b) => (a.start < b.start ? 1 : -1))
    .map(({ key, about }) => (about === '' ? key : `${key}\t${about}`))
}

/** A name with characters that nobody sees cannot be typed. */
function isHarmless(name: string): boolean {
  return name !== '' && !/[\n\t]/.test(name) && escapeControls(name) === name
}

/** Of the line that is typed, whose words some shells hand on as they are written. */
function homesOf(words: readonly string[]): GeminiHome[] {
  const { values } = parseArgs({
    args: words.map((word) => word.replace(/^(['"])(.*)\1$/, '$2').replace(/\\(?=[\s'"$])/g, '')),
    options: { home: { type: 'string', multiple: true }, demo: { type: 'boolean' } },
    allowPositionals: true,
    strict: false,
  })
  const named = values.home?.flatMap((path) =>
    typeof path === 'string' ? path.replace(/^~(?=\/|$)/, () => homedir()) : [],
  )
  return chooseHomes({ ...(named !== undefined && { home: named }), demo: values.demo === true })
}
