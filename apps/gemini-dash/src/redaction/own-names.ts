import { homedir, hostname, userInfo } from 'node:os'
import { basename } from 'node:path'
import type { RedactOptions } from '@gemini-dash/redact'

/** What names this computer and whoever uses it, as redaction is told it: whatever text leaves is redacted with these. */
export function ownNames(): Required<Pick<RedactOptions, 'homes' | 'userNames' | 'hostNames'>> {
  const user = ownUser()
  const homes = [homedir(), user.homedir]
  const userNames = [user.username, ...homes.map((home) => basename(home))]
  const host = hostname()
  // also without its domain, as prompts of shells show it
  return {
    homes: known(homes),
    userNames: known(userNames),
    hostNames: known([host, host.split('.')[0] ?? '']),
  }
}

function ownUser(): { homedir: string; username: string } {
  try {
    return userInfo()
  } catch {
    // a user whom the system has no entry for, as in containers
    return { homedir: '', username: '' }
  }
}

function known(names: string[]): string[] {
  return [...new Set(names.filter((name) => name !== ''))]
}
