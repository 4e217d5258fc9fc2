/** The address of a message on this page, without what was searched for. */
export function messageLink(messageKey: string): string {
  return `${window.location.origin}${window.location.pathname}#${messageAnchor(messageKey)}`
}

/** The id of a message's element and the hash of its link. */
export function messageAnchor(messageKey: string): string {
  return `m-${messageKey}`
}

/** The key in `#m-<key>`; null for any other hash. */
export function messageKeyOf(hash: string): string | null {
  const anchor = hash.replace(/^#/, '')
  if (!anchor.startsWith('m-')) return null
  try {
    return decodeURIComponent(anchor.slice(2))
  } catch {
    return anchor.slice(2)
  }
}
