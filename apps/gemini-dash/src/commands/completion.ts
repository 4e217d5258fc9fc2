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

/**
 * Prints the completion script of a shell, or the candidates that the scripts offer: `keys` or `projects`, with the words typed so far
 * after `--`.
 */
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
      `Write: gemini-dash completion ${COMPLETION_SHELLS.join('|')}. The first lines of the script say where to save it.`,
    )
  }
  const [extra] = words
  if (extra !== undefined) throw new CliError(2, `Unexpected argument: "${extra}".`)
  await terminal.write(completionScript(shell))
}

const MOST_ABOUT = 60
/** More would be too many to choose from, and would keep the shell waiting. */
const MOST_FILES = 500

/** Reads only file names and first lines: no cache, no server, no writes. */
async function offered(what: 'keys' | 'projects', words: readonly string[]): Promise<string[]> {
  const homes = homesOf(words)
  const { files, projects } = await scanHomes(homes)
  if (what === 'projects') {
    // one file per folder can reveal what the folder itself does not
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
    // if a session has several files, the earliest determines the key
    if (known !== undefined && known.start <= start) continue
    const about = [...escapeLine(firstPrompt ?? '')].slice(0, MOST_ABOUT).join('')
    sessions.set(id, { key: sessionKey(id, firstStartTime ?? stem), start, about })
  }
  return [...sessions.values()]
    .filter(({ key }) => isHarmless(key))
    .sort((a, b) => (a.start < b.start ? 1 : -1))
    .map(({ key, about }) => (about === '' ? key : `${key}\t${about}`))
}

/** A name with invisible characters cannot be typed. */
function isHarmless(name: string): boolean {
  return name !== '' && !/[\n\t]/.test(name) && escapeControls(name) === name
}

/** Parses the line as typed; some shells pass its words with their quotes. */
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
