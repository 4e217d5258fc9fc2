import { SESSION_LIFETIME_MS } from '../../access/access.ts'

/** Cookies are shared by all ports of a host, so the name holds the port. */
export function sessionCookieName(port: number): string {
  return `gemini-dash-${port}`
}

export function sessionCookie(port: number, token: string): string {
  const maxAgeSeconds = SESSION_LIFETIME_MS / 1000
  return `${sessionCookieName(port)}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict`
}

/** The value sent back by the browser, or null. Of several cookies with the name only the first is looked at. */
export function readSessionCookie(header: string | undefined, port: number): string | null {
  const prefix = `${sessionCookieName(port)}=`
  const pair = header?.split(';').find((each) => each.trim().startsWith(prefix))
  return pair?.trim().slice(prefix.length) ?? null
}
