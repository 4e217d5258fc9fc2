import { homedir, hostname, userInfo } from 'node:os'
import { basename } from 'node:path'
import type { RedactOptions } from '@gemini-dash/redact'

/** Names of this computer and its user, as input for redaction: every exported text is redacted with them. */
export function ownNames(): Required<Pick<RedactOptions, 'homes' | 'userNames' | 'hostNames'>> {
  const user = ownUser()
  const homes = [homedir(), user.homedir]
  const userNames = [user.username, ...homes.map((home) => basename(home))]
  const host = hostname()
  // also without its domain, as in shell prompts
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
    // the system has no entry for the user, as in containers
    return { homedir: '', username: '' }
  }
}

function known(names: string[]): string[] {
  return [...new Set(names.filter((name) => name !== ''))]
}
