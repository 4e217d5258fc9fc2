import { mkdir, readdir, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { TestbedAnswer } from '@gemini-dash/api'
import { CLI_VERSIONS, type CliVersionName } from '../../../../fixtures/demo/cli-version.ts'
import { testbedHome } from '../../../../fixtures/testbed/testbed-home.ts'
import { chooseHomes } from '../environment/choose-homes.ts'
import { refuseHome, targetPlace } from '../export/target/refuse-target.ts'
import { pathFlavour } from '../paths/path-flavour.ts'
import { escapeLine } from '../print/escape-controls.ts'
import { jsonLine } from '../print/json-line.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { RunCommand } from '../terminal/commands.ts'

const VERSIONS = Object.keys(CLI_VERSIONS) as CliVersionName[]
const ELSEWHERE = 'Name a folder somewhere else.'

/** Writes a home for those who build tools: each form of session that a version of the CLI writes. */
export const testbed: RunCommand = async ({ flags, positionals, terminal }) => {
  const [out] = positionals
  if (out === undefined) throw new CliError(2, 'Into which folder?', 'Usage: gemini-dash testbed OUT')
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
    writes.push({ path: pathFlavour().toSlashes(target), sizeBytes: Buffer.byteLength(content) })
  }
  const answer: TestbedAnswer = {
    home: pathFlavour().toSlashes(join(root, '.gemini')),
    cliVersion: version,
    sessions,
    writes,
  }
  if (flags.json) return terminal.write(jsonLine(answer))
  const lines = [
    `${sessions.length} sessions as Gemini CLI ${version} writes them, in ${writes.length} files:`,
    ...sessions.map(({ sessionId, what }) => `  ${sessionId}  ${what}`),
    `Look at them with: gemini-dash --home ${answer.home}`,
  ]
  await terminal.write(`${lines.map(escapeLine).join('\n')}\n`)
}

function chosenVersion(asked = VERSIONS.at(-1) ?? ''): CliVersionName {
  const version = VERSIONS.find((each) => each === asked)
  if (version !== undefined) return version
  throw new CliError(
    2,
    `Files of Gemini CLI "${asked}" cannot be written.`,
    `Known versions: ${VERSIONS.join(', ')}.`,
  )
}

/** Made where it is not there; links on the way are followed, as the CLI does before it names a project. */
async function emptyFolder(out: string): Promise<string> {
  const folder = resolve(out)
  if (targetPlace(folder).split(/[\\/]/).includes('.gemini'))
    throw new CliError(1, `${folder} lies in a Gemini home: nothing is written there.`, ELSEWHERE)
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
