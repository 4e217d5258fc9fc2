import { existsSync } from 'node:fs'

export interface Desk {
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  isTerminal: boolean
}

/** Why no browser should be opened from here, as the end of a sentence; null where one may be. */
export function whyNotOpen({ env, platform, isTerminal }: Desk): string | null {
  const isWsl = env.WSL_DISTRO_NAME !== undefined
  if (env.CI) return 'in CI'
  if (env.SSH_CONNECTION || env.SSH_TTY) return 'over SSH'
  if (!isWsl && isContainer(env)) return 'in a container'
  if (!isTerminal) return 'without a terminal'
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  if (!isWsl && !hasDisplay && platform !== 'darwin' && platform !== 'win32') return 'without a display'
  return null
}

function isContainer(env: Desk['env']): boolean {
  const isNamed = Boolean(env.CODESPACES || env.REMOTE_CONTAINERS)
  return isNamed || ['/.dockerenv', '/run/.containerenv'].some((path) => existsSync(path))
}
