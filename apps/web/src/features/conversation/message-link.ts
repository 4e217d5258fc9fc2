import { messageAnchor } from '../../lib/session-words.ts'

/** Link to a message on this page, or to a thought or tool call in it, without search parameters. */
export function messageLink(messageKey: string, part: string | null = null): string {
  return `${window.location.origin}${window.location.pathname}#${messageAnchor(messageKey, part)}`
}

/** The key in `#m-<key>` or `#m-<key>~<part>`; null for any other hash. */
export function messageKeyOf(hash: string): string | null {
  return readAnchor(hash)?.replace(PART, '') ?? null
}

/** The thought or tool call in a hash; null for a whole message. */
export function messagePartOf(hash: string): string | null {
  return PART.exec(readAnchor(hash) ?? '')?.[1] ?? null
}

/** A key may itself end in `~2`. */
const PART = /~((?:call|thought)-\d+)$/

function readAnchor(hash: string): string | null {
  const anchor = hash.replace(/^#/, '')
  if (!anchor.startsWith('m-')) return null
  try {
    return decodeURIComponent(anchor.slice(2))
  } catch {
    return anchor.slice(2)
  }
}
