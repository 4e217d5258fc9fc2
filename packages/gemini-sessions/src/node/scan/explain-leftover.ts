import type { SkippedEntry } from './scan.ts'

/** Where something lies: directly under `tmp/`, in a project's folder, or below its `chats/`. */
export type LeftoverPlace = 'tmp' | 'project' | 'chats'

type Explanation = Pick<SkippedEntry, 'reason' | 'advice' | 'needsAttention'>

const SESSION_LIKE = /^session-|\.jsonl?(\W|$)/i
const CLI_TEMPORARY = /\.jsonl?\.tmp-\d+$/
const COMPRESSED = /\.(gz|zip|zst|xz|bz2|7z)$/i
const BACKUP = /\.jsonl?(\.[^/]*|~)$/i
const SET_ASIDE_LOG = /^logs\.json\..+\.bak$/

/** Why a file is not read whose name promises a session or a prompt log; null where the name promises nothing. */
export function explainLeftover(name: string, place: LeftoverPlace): Explanation | null {
  if (place === 'project' && SET_ASIDE_LOG.test(name)) {
    return {
      reason: 'This is a prompt log that the CLI found damaged and set aside.',
      advice: 'Prompts that are only in it are not shown; it is a text file that an editor can open.',
      needsAttention: false,
    }
  }
  if (place !== 'chats') return name.startsWith('session-') ? explainMisplaced(name) : null
  return SESSION_LIKE.test(name) ? explainName(name) : null
}

function explainMisplaced(name: string): Explanation | null {
  if (!/\.jsonl?$/.test(name)) return null
  return {
    reason: 'This is named like a session but lies outside of chats/, where the CLI keeps them.',
    advice: 'Move it into the chats/ folder of its project, and it is read.',
    needsAttention: true,
  }
}

function explainName(name: string): Explanation {
  if (name.startsWith('.')) {
    return {
      reason: 'This is a hidden file, as copies and file managers leave them.',
      advice: 'It can stay where it is.',
      needsAttention: false,
    }
  }
  if (CLI_TEMPORARY.test(name)) {
    return {
      reason: 'This is a temporary file of the CLI, which was stopped while it rewrote a session.',
      advice:
        'The session itself is read from its own file. If that is missing, end the name of this with .jsonl.',
      needsAttention: false,
    }
  }
  if (COMPRESSED.test(name)) {
    return {
      reason: 'This is compressed.',
      advice: 'Unpack it beside this file, and it is read.',
      needsAttention: true,
    }
  }
  if (BACKUP.test(name)) {
    return {
      reason: 'This is a backup by its name, which the CLI does not read either.',
      advice: 'To have it read as a copy of its session, end its name with .json or .jsonl.',
      needsAttention: false,
    }
  }
  return {
    reason: 'This is named like a session but does not end in .json or .jsonl.',
    advice: 'If it is one, end its name with .jsonl, or with .json up to version 0.38.',
    needsAttention: true,
  }
}
