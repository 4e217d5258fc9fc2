import { isUnchanged, stampOf } from '@gemini-dash/session-index'
import type { DiscoveredFile, ProjectPlace, Scan } from 'gemini-sessions/node'
import { typedLogs } from './loose-groups.ts'

/** Did two looks find the same files in the same folders, none of them written in between? */
export function isSameScan(a: Scan, b: Scan): boolean {
  return areSame(a.files, b.files, isSameFile) && areSame(a.projects, b.projects, isSamePlace)
}

function isSameFile(a: DiscoveredFile, b: DiscoveredFile): boolean {
  return isUnchanged(stampOf(a), b)
}

function isSamePlace(a: ProjectPlace, b: ProjectPlace): boolean {
  return (
    a.folder === b.folder &&
    a.marker === b.marker &&
    areSame(typedLogs(a), typedLogs(b), isSameFile) &&
    areSame(a.checkpoints, b.checkpoints, isSameFile)
  )
}

function areSame<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  return (
    a.length === b.length &&
    a.every((item, index) => {
      const other = b[index]
      return other !== undefined && isSame(item, other)
    })
  )
}
