import { sep } from 'node:path'

/** Asking for a name there makes an automounter connect to a host of that name. */
const NETWORK_FOLDER = /^\/(?:net|afs|Network)(?:\/|$)/

/**
 * Whether a path that a file names may be looked for: absolute on this system, plain, and not on the network. A UNC path
 * would have Windows sign in to whatever host it names.
 */
export function isLocalPath(path: string, platform: string = process.platform): boolean {
  if (path.length > 4096 || /\p{Cc}/u.test(path) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path)) return false
  if (platform === 'win32') return /^[A-Za-z]:[\\/](?![\\/])/.test(path)
  return path.startsWith('/') && !path.startsWith('//') && !NETWORK_FOLDER.test(path)
}

/** A path with `/` on every system, as the model and the API write paths. */
export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
