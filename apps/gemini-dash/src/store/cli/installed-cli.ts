import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { findHomes } from 'gemini-sessions/node'
import { isOlder } from './versions.ts'

/** The Gemini CLI that whoever asks would start. */
export interface InstalledCli {
  /** Where it looks for its sessions: `.gemini` folders, `/` on every system. */
  homes: string[]
  /** null: nobody knows, or there is none. */
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
/** A script that starts it is far shorter. */
const MAX_SCRIPT_BYTES = 16_384
/** As such a script names the package: from its own folder, or whole. */
const PACKAGE_IN_SCRIPT = /["']?([^"'\s]*[\\/]node_modules[\\/]@google[\\/]gemini-cli)[\\/]/
const OWN_FOLDER = /^(?:\$basedir|\$PSScriptRoot|%~dp0|%dp0%)[\\/]?/i

/** The Gemini CLI that a terminal with this environment would start. Only its `package.json` is read; it is never started. */
export function installedCli(env: Environment = process.env, userHome = homedir()): InstalledCli {
  const { GEMINI_CLI_HOME } = env
  const homes = findHomes({ homeArguments: [], env: { GEMINI_CLI_HOME }, userHome })
  return { homes: homes.map(({ path }) => path), version: cliOnPath(env)?.version ?? null }
}

/** The same, else the newest of those that package managers have put on this computer; null: there is none. */
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

/** Where a program by this name is that a terminal would start; null: nowhere. */
export function findOnPath({ PATH, Path }: Environment, names: readonly string[]): string | null {
  const folders = (PATH ?? Path ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(existsSync) ?? null
}

function cliOnPath(env: Environment): FoundCli | null {
  const program = findOnPath(env, NAMES)
  if (program === null) return null
  // npm links to a file of the package; on Windows it writes a script beside the packages; pnpm always writes one.
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
    // A link that leads nowhere.
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

/** Folders of packages that all users share; `*` is any folder. */
const SYSTEM_FOLDERS = [
  join(dirname(process.execPath), '..', 'lib', 'node_modules'),
  '/usr/local/lib/node_modules',
  '/usr/lib/node_modules',
  '/opt/homebrew/lib/node_modules',
  ...['/opt/homebrew', '/usr/local', '/home/linuxbrew/.linuxbrew'].map(
    (prefix) => `${prefix}/opt/gemini-cli/libexec/lib/node_modules`,
  ),
]

/** Folders of packages of this user, by package manager. */
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

/** The folders that a pattern means. */
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
