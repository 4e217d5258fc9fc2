import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Health, Sandbox } from '@gemini-dash/api'
import { KNOWN_CLI_VERSION, type SessionSummary } from 'gemini-sessions'
import {
  findHomes,
  type GeminiHome,
  readSandboxSetting,
  type SandboxSetting,
  settingsPath,
} from 'gemini-sessions/node'

/** The Gemini CLI that this user would start. */
export interface InstalledCli {
  /** Where it looks for its sessions: `.gemini` folders, with `/` on every system. */
  homes: string[]
  /** null: unknown, or not installed. */
  version: string | null
}

export interface FoundCli {
  version: string
  /** The folder of its package. */
  path: string
}

type Environment = Readonly<Record<string, string | undefined>>

const PACKAGE = '@google/gemini-cli'
const NAMES = process.platform === 'win32' ? ['gemini.cmd', 'gemini.ps1', 'gemini'] : ['gemini']
/** A launcher script is far shorter. */
const MAX_SCRIPT_BYTES = 16_384
/** How such a script refers to the package: relative to its own folder, or by full path. */
const PACKAGE_IN_SCRIPT = /["']?([^"'\s]*[\\/]node_modules[\\/]@google[\\/]gemini-cli)[\\/]/
const OWN_FOLDER = /^(?:\$basedir|\$PSScriptRoot|%~dp0|%dp0%)[\\/]?/i

/** The Gemini CLI that a terminal with this environment would start. Only its `package.json` is read; it is never started. */
export function installedCli(env: Environment = process.env, userHome = homedir()): InstalledCli {
  const { GEMINI_CLI_HOME } = env
  const homes = findHomes({ homeArguments: [], env: { GEMINI_CLI_HOME }, userHome })
  return { homes: homes.map(({ path }) => path), version: cliOnPath(env)?.version ?? null }
}

/** The same; otherwise the newest one installed by a package manager on this computer; null: none. */
export function findCli(
  env: Environment = process.env,
  userHome = homedir(),
  systemFolders: readonly string[] = SYSTEM_FOLDERS,
): FoundCli | null {
  const onPath = cliOnPath(env)
  if (onPath !== null) return onPath
  const found = [...ownFolders(env, userHome), ...systemFolders]
    .flatMap(existing)
    .flatMap((folder) => packageIn(join(folder, PACKAGE)) ?? [])
  return found.reduce<FoundCli | null>(
    (newest, each) => (newest === null || isOlder(newest.version, each.version) ? each : newest),
    null,
  )
}

/** Path of the program with this name that a terminal would start; null: none. */
function findOnPath({ PATH, Path }: Environment, names: readonly string[]): string | null {
  const folders = (PATH ?? Path ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync) ?? null
}

function cliOnPath(env: Environment): FoundCli | null {
  const program = findOnPath(env, NAMES)
  if (program === null) return null
  // npm links to a file of the package; on Windows it writes a script next to the packages; pnpm always writes one.
  return (
    packageAbove(program) ??
    packageIn(join(dirname(program), 'node_modules', PACKAGE)) ??
    packageOfScript(program)
  )
}

function packageAbove(program: string): FoundCli | null {
  try {
    let folder = dirname(realpathSync(program))
    for (let parent = dirname(folder); parent !== folder; parent = dirname(folder)) {
      const found = packageIn(folder)
      if (found !== null) return found
      folder = parent
    }
  } catch {
    // A dangling link.
  }
  return null
}

function packageOfScript(program: string): FoundCli | null {
  try {
    const script = readFileSync(program, 'utf8').slice(0, MAX_SCRIPT_BYTES)
    const named = PACKAGE_IN_SCRIPT.exec(script)?.[1]
    if (named === undefined) return null
    const rest = named.replace(OWN_FOLDER, '').replaceAll('\\', '/')
    return packageIn(rest === named.replaceAll('\\', '/') ? rest : join(dirname(program), rest))
  } catch {
    return null
  }
}

function packageIn(folder: string): FoundCli | null {
  try {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return name === PACKAGE && typeof version === 'string' ? { version, path: folder } : null
  } catch {
    return null
  }
}

/** Package folders shared by all users; `*` is any folder. */
const SYSTEM_FOLDERS = [
  join(dirname(process.execPath), '..', 'lib', 'node_modules'),
  '/usr/local/lib/node_modules',
  '/usr/lib/node_modules',
  '/opt/homebrew/lib/node_modules',
  ...['/opt/homebrew', '/usr/local', '/home/linuxbrew/.linuxbrew'].map(
    (prefix) => `${prefix}/opt/gemini-cli/libexec/lib/node_modules`,
  ),
]

/** Package folders of this user, by package manager. */
function ownFolders(env: Environment, userHome: string): string[] {
  const { NPM_CONFIG_PREFIX, NVM_DIR, VOLTA_HOME, PNPM_HOME, BUN_INSTALL, APPDATA, LOCALAPPDATA, NVM_HOME } =
    env
  const npm = NPM_CONFIG_PREFIX ?? env.npm_config_prefix
  const volta = `tools/image/packages/${PACKAGE}`
  return [
    ...below(npm, ['lib/node_modules', 'node_modules']),
    ...below(userHome, [
      '.npm-global/lib/node_modules',
      '.local/lib/node_modules',
      '.npm/_npx/*/node_modules',
    ]),
    ...below(NVM_DIR ?? join(userHome, '.nvm'), ['versions/node/*/lib/node_modules']),
    ...below(VOLTA_HOME ?? join(userHome, '.volta'), [`${volta}/lib/node_modules`, `${volta}/node_modules`]),
    ...below(PNPM_HOME, ['global/*/node_modules']),
    ...below(userHome, [
      '.local/share/pnpm/global/*/node_modules',
      'Library/pnpm/global/*/node_modules',
      '.config/yarn/global/node_modules',
      '.local/share/fnm/node-versions/*/installation/lib/node_modules',
      '.asdf/installs/nodejs/*/lib/node_modules',
      '.local/share/mise/installs/*/*/lib/node_modules',
    ]),
    ...below(BUN_INSTALL ?? join(userHome, '.bun'), ['install/global/node_modules']),
    ...below(APPDATA, ['npm/node_modules']),
    ...below(LOCALAPPDATA, [
      'pnpm/global/*/node_modules',
      `Volta/${volta}/node_modules`,
      'npm-cache/_npx/*/node_modules',
    ]),
    ...below(NVM_HOME, ['*/node_modules']),
  ]
}

function below(folder: string | undefined, places: readonly string[]): string[] {
  return folder === undefined || folder === '' ? [] : places.map((place) => join(folder, place))
}

/** The folders that match a pattern. */
function existing(pattern: string): string[] {
  const [before = '', ...rest] = pattern.split('*')
  return rest.reduce<string[]>(
    (folders, after) => folders.flatMap((folder) => namesIn(folder).map((name) => join(folder, name, after))),
    [before],
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Versions whose clean-up was verified to behave as documented (docs/decisions/gone-is-not-lost.md), oldest first. */
const CLEAN_UP_TRIED_WITH = ['0.47.0', '0.54.4', '0.61.0']
/** The first version that writes JSONL logs. */
const FIRST_WITH_LOGS = '0.39.0'

/** The Gemini CLI used with these homes, as far as known. */
interface CliVersions {
  /** null: none was found, or not searched for. */
  installed: string | null
  /** The oldest version that can have written the newest of the files; null: any. */
  writtenBy: string | null
}

/** Compares versions in the format of Gemini CLI: `0.61.0`, `0.62.0-preview.1`. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(/[-.+]/).slice(0, 3).map(Number))
  for (const [at, part] of (b ?? []).entries()) {
    const own = a?.[at] ?? 0
    if (own !== part) return own < part
  }
  return false
}

type Sessions = Iterable<{ summary: Pick<SessionSummary, 'files'> }>

/** What the files reveal about the version that wrote them. */
export function writtenBy(sessions: Sessions): string | null {
  for (const { summary } of sessions)
    if (summary.files.some(({ format }) => format === 'jsonl')) return FIRST_WITH_LOGS
  return null
}

/** The installed one, unless the files show that another one is used. */
function versionInUse({ installed, writtenBy }: CliVersions): string | null {
  return installed !== null && writtenBy !== null && isOlder(installed, writtenBy) ? null : installed
}

/** Whether the version in use may be this one or later. */
export function canBe({ installed, writtenBy }: CliVersions, version: string): boolean {
  const inUse = versionInUse({ installed, writtenBy })
  return inUse === null || !isOlder(inUse, version)
}

/** The known version, the installed one, and what follows from them. */
export function describeCli(found: Health['cli']['installed'], sessions: Sessions): Health['cli'] {
  const versions = { installed: found?.version ?? null, writtenBy: writtenBy(sessions) }
  return {
    known: KNOWN_CLI_VERSION,
    installed: found,
    writtenBy: versions.writtenBy,
    text: describeVersions(versions),
    byRules: byRules(versions),
  }
}

/** "By the rules of Gemini CLI 0.61", to begin a sentence about the clean-up; null: its rules were verified for the installed version. */
export function byRules(versions: CliVersions): string | null {
  const oldest = CLEAN_UP_TRIED_WITH.at(0) ?? ''
  const newest = CLEAN_UP_TRIED_WITH.at(-1) ?? ''
  const inUse = versionInUse(versions)
  if (inUse === null) return `By the rules of Gemini CLI ${newest.split('.').slice(0, 2).join('.')}`
  const by = `By the rules of Gemini CLI ${newest}`
  if (isOlder(newest, inUse)) return `${by} (yours is newer: ${inUse})`
  return isOlder(inUse, oldest) ? `${by} (yours is older: ${inUse})` : null
}

function describeVersions({ installed, writtenBy }: CliVersions): string {
  const known = `This program knows Gemini CLI up to ${KNOWN_CLI_VERSION}.`
  if (installed === null) return known
  if (isOlder(KNOWN_CLI_VERSION, installed))
    return `${known} Yours is newer: ${installed}. Update gemini-dash.`
  return writtenBy !== null && isOlder(installed, writtenBy)
    ? `${known} Installed is ${installed}, but ${writtenBy} or newer wrote the newest files.`
    : `${known} Installed is ${installed}.`
}

type Command = Sandbox['command']

/** Since this version the container has its own `.gemini` folder, which is deleted when the container ends. */
const LOSES_SESSIONS_SINCE = '0.60.0'
const CONTAINERS: Readonly<Record<Command, string>> = {
  docker: 'a Docker container',
  podman: 'a Podman container',
  runsc: 'a gVisor container',
}

interface SandboxQuestion {
  homes: readonly GeminiHome[]
  versions: CliVersions
  env?: Environment
  platform?: NodeJS.Platform
}

/**
 * Where Gemini CLI is configured to run in a container, in which it loses its sessions: by `GEMINI_SANDBOX`, else by the settings of each
 * home. `--sandbox` and a project's settings can do the same, but are not detected.
 */
export function findSandboxes({
  homes,
  versions,
  env = process.env,
  platform = process.platform,
}: SandboxQuestion): Sandbox[] {
  if (!canBe(versions, LOSES_SESSIONS_SINCE)) return []
  const ofEnvironment = env.GEMINI_SANDBOX?.toLowerCase().trim() ?? ''
  if (ofEnvironment !== '') {
    const command = containerCommand(ofEnvironment, env, platform)
    return command === null
      ? []
      : [describe(command, 'GEMINI_SANDBOX', 'Remove GEMINI_SANDBOX or set it to false')]
  }
  // two homes can have the same settings
  const bySettings = new Map(homes.map((home) => [settingsPath(home), home]))
  return [...bySettings].flatMap(([path, home]) => {
    const command = containerCommand(readSandboxSetting(home), env, platform)
    return command === null ? [] : [describe(command, path, 'Set tools.sandbox to false')]
  })
}

/** The choice of Gemini CLI 0.61.0; null: it starts no container. */
function containerCommand(
  selected: SandboxSetting,
  env: Environment,
  platform: NodeJS.Platform,
): Command | null {
  if (selected === 'docker' || selected === 'podman' || selected === 'runsc') return selected
  if (selected !== true && selected !== '1' && selected !== 'true') return null
  // macOS has its own sandbox, in which sessions persist
  if (platform === 'darwin') return null
  const has = (name: string) => findOnPath(env, [name, `${name}.exe`]) !== null
  return !has('docker') && has('podman') ? 'podman' : 'docker'
}

function describe(command: Command, source: string, change: string): Sandbox {
  const setting = source === 'GEMINI_SANDBOX' ? source : `tools.sandbox in ${source}`
  return {
    command,
    source,
    text: `${setting} runs Gemini CLI in ${CONTAINERS[command]}. Gemini CLI 0.60 and newer deletes the sessions of a container when it ends, so gemini-dash cannot show them (gemini-cli issue 29461).`,
    advice: `${change} to have sessions recorded. In a container, save a session with /chat share FILE.md before you exit.`,
  }
}
