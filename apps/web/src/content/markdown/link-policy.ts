/** What a recorded link may become. Anything but these three schemes and in-page anchors stays plain text. */
export type LinkPolicy =
  | { kind: 'external'; href: string; warning: string | null }
  | { kind: 'anchor'; href: string }
  | { kind: 'inert' }

const SAFE_SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** Decides on the parsed address, not on its spelling: entities, tabs and case have no say after `new URL`. */
export function linkPolicy(href: string | undefined): LinkPolicy {
  if (href === undefined || href === '') return { kind: 'inert' }
  if (/^#[^\s]*$/.test(href)) return { kind: 'anchor', href }
  const url = parseAbsolute(href)
  if (url === null || !SAFE_SCHEMES.has(url.protocol)) return { kind: 'inert' }
  return { kind: 'external', href: url.href, warning: warningOf(url) }
}

function parseAbsolute(href: string): URL | null {
  try {
    return new URL(href)
  } catch {
    return null
  }
}

/** Names the true host where an address could pass for another one. */
function warningOf(url: URL): string | null {
  if (url.protocol === 'mailto:') return null
  if (url.username !== '' || url.password !== '') return `leads to ${url.host}`
  return url.hostname.split('.').some((label) => label.startsWith('xn--')) ? url.hostname : null
}
