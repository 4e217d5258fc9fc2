import { mkdir, readdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { TestbedAnswer } from '@gemini-dash/api'
import { CLI_VERSIONS, type CliVersionName } from '../../../../fixtures/demo/cli-version.ts'
import { testbedHome } from '../../../../fixtures/testbed/testbed-home.ts'
import { chooseHomes } from '../environment/choose-homes.ts'
import { refuseHome } from '../export/export-name.ts'
import { pathStyle } from '../paths.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import { ownShell, quoteForShell, quoteValue } from '../store/quote-for-shell.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'

const VERSIONS = Object.keys(CLI_VERSIONS) as CliVersionName[]
const ELSEWHERE = 'Choose a folder somewhere else.'

/** Writes a home for tool developers, with every form of session that a version of the CLI writes. */
export const testbed: RunCommand = async ({ flags, positionals, terminal }) => {
  const [out] = positionals
  if (out === undefined) throw new CliError(2, 'Which folder?', 'Usage: gemini-dash testbed OUT')
  const version = chosenVersion(flags['cli-version'])
  refuseHome(out, chooseHomes(flags), ELSEWHERE)
  const root = await emptyFolder(out)
  const { files, sessions } = testbedHome({
    root,
    version,
    join,
    lowersPaths: process.platform === 'win32',
  })
  const writes: TestbedAnswer['writes'] = []
  for (const { path, content } of files) {
    const target = join(root, path)
    await tryTo(`${target} could not be written`, async () => {
      await mkdir(dirname(target), { recursive: true })
      await writeFile(target, content, { flag: 'wx' })
    })
    writes.push({ path: pathStyle().toSlashes(target), sizeBytes: Buffer.byteLength(content) })
  }
  const answer: TestbedAnswer = {
    home: pathStyle().toSlashes(join(root, '.gemini')),
    cliVersion: version,
    sessions,
    writes,
  }
  if (flags.json) return terminal.write(jsonLine(answer))
  const lines = [
    `${sessions.length} sessions as Gemini CLI ${version} writes them, in ${writes.length} files:`,
    ...sessions.map(({ sessionId, what }) => `  ${sessionId}  ${what}`),
    `Open them with: gemini-dash --home ${quoteForShell(answer.home, ownShell())}`,
    `List those of one project with Gemini CLI: ${listCommand(root, sessions[0]?.project ?? root)}`,
  ]
  await terminal.write(`${lines.map(escapeLine).join('\n')}\n`)
}

/** The CLI lists nothing without an API key, but makes no request with it. */
function listCommand(root: string, project: string): string {
  const shell = ownShell()
  const quote = (value: string) => quoteForShell(value, shell)
  return shell === 'posix'
    ? `cd ${quote(project)} && GEMINI_CLI_HOME=${quote(root)} GEMINI_API_KEY=x gemini --list-sessions`
    : `Set-Location -LiteralPath ${quote(project)}; $env:GEMINI_CLI_HOME = ${quoteValue(root)}; $env:GEMINI_API_KEY = 'x'; gemini --list-sessions`
}

function chosenVersion(asked = VERSIONS.at(-1) ?? ''): CliVersionName {
  const version = VERSIONS.find((each) => each === asked)
  if (version !== undefined) return version
  throw new CliError(2, `Gemini CLI "${asked}" is not supported.`, `Known versions: ${VERSIONS.join(', ')}.`)
}

/** Created if missing; links in the path are resolved, as the CLI does before it names a project. */
async function emptyFolder(out: string): Promise<string> {
  const folder = resolve(out)
  return tryTo(`${folder} cannot be used`, async () => {
    await mkdir(folder, { recursive: true })
    if ((await readdir(folder)).length > 0) throw new CliError(1, `${folder} is not empty.`, ELSEWHERE)
    return realpath(folder)
  })
}

async function tryTo<Result>(failing: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError(1, `${failing}: ${error instanceof Error ? error.message : String(error)}.`, ELSEWHERE)
  }
}
