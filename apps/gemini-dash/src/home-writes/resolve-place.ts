import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** Why nothing can be written there. */
export type PlaceProblem = 'unsafe-name' | 'no-project-folder' | 'link' | 'file-exists' | 'outside'

/** A place below a home at which nothing may be written. */
export class UnsafePlace extends Error {
  override name = 'UnsafePlace'
  readonly code: PlaceProblem

  constructor(code: PlaceProblem, message: string) {
    super(message)
    this.code = code
  }
}

export interface ResolvedPlace {
  /** Of the file, and of the folder that it lies in. */
  path: string
  folder: string
  /** Of the folders on the way that are not there, the outer ones first: how many parts lead to each. */
  missing: number[]
}

/** Names come from file contents: nothing that leads elsewhere, is hidden in a terminal, or means something to a system. */
const PLAIN_PART = /^[A-Za-z0-9._-]*[A-Za-z0-9_-]$/
/** `tmp`, the project's folder, and a name in it. */
const FEWEST_PARTS = 3

/**
 * Where a new file of a project lies. Each part of the way is looked at: a folder, no link, and inside the project's own
 * folder, which has to be there.
 *
 * @throws UnsafePlace
 */
export function resolvePlace(home: string, parts: readonly string[]): ResolvedPlace {
  const named = parts.join('/')
  const odd = parts.find((part) => !PLAIN_PART.test(part))
  if (odd !== undefined || parts.length < FEWEST_PARTS || parts[0] !== 'tmp')
    throw new UnsafePlace('unsafe-name', `The name ${JSON.stringify(odd ?? named)} is not one to write to.`)
  const root = realHome(home)
  const missing: number[] = []
  for (let count = 1; count < parts.length; count++) {
    const folder = parts.slice(0, count).join('/')
    const found = lstatSync(join(root, folder), { throwIfNoEntry: false })
    if (found?.isSymbolicLink())
      throw new UnsafePlace('link', `${folder} is a link: nothing is written through it.`)
    if (found !== undefined && !found.isDirectory())
      throw new UnsafePlace('outside', `${folder} is no folder.`)
    if (found === undefined && count < FEWEST_PARTS)
      throw new UnsafePlace('no-project-folder', `There is no folder ${folder} in this home.`)
    if (found === undefined) missing.push(count)
  }
  const path = join(root, ...parts)
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw new UnsafePlace('file-exists', `${named} is there already, and is left alone.`)
  const folder = join(root, ...parts.slice(0, -1))
  // The last of the folders that is there.
  const there = join(root, ...parts.slice(0, (missing[0] ?? parts.length) - 1))
  if (realpathSync.native(there) !== there)
    throw new UnsafePlace('outside', `${named} does not lie where its name says.`)
  return { path, folder, missing }
}

/** The home itself may be a link of its owner's, as where settings are kept elsewhere. @throws UnsafePlace */
export function realHome(home: string): string {
  try {
    return realpathSync.native(home)
  } catch {
    throw new UnsafePlace('no-project-folder', `There is no folder ${home}.`)
  }
}
