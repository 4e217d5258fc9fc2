import { shortKey } from './short-key.ts'

/** A project's key: from its `projectHash` where that is known, else from its folder's name. The same in every home. */
export function projectKey(projectHash: string | null, folderName: string): string {
  return shortKey(projectHash ?? folderName)
}
