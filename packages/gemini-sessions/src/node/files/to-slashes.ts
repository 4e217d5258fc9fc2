import { sep } from 'node:path'

/** A path with `/` on every system, as the model and the API write paths. */
export function toSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
