import type { Sandbox } from '@gemini-dash/api'
import { type GeminiHome, readSandboxSetting, type SandboxSetting, settingsPath } from 'gemini-sessions/node'
import { findOnPath } from './installed-cli.ts'
import { type CliVersions, canBe } from './versions.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Command = Sandbox['command']

/** Since this version the container's `.gemini` is a folder of its own, which is deleted when the container ends. */
const LOSES_SESSIONS_SINCE = '0.60.0'
const CONTAINERS: Readonly<Record<Command, string>> = {
  docker: 'a Docker container',
  podman: 'a Podman container',
  runsc: 'a gVisor container',
}

export interface SandboxQuestion {
  homes: readonly GeminiHome[]
  versions: CliVersions
  env?: Environment
  platform?: NodeJS.Platform
}

/**
 * Where Gemini CLI is set to run in a container, in which it loses its sessions: by `GEMINI_SANDBOX`, else by the settings of each
 * home. `--sandbox` and the settings of a project can do the same, and are not seen.
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

/** As Gemini CLI 0.61.0 chooses; null: it starts no container. */
function containerCommand(
  selected: SandboxSetting,
  env: Environment,
  platform: NodeJS.Platform,
): Command | null {
  if (selected === 'docker' || selected === 'podman' || selected === 'runsc') return selected
  if (selected !== true && selected !== '1' && selected !== 'true') return null
  // macOS has a sandbox of its own, in which sessions stay
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
