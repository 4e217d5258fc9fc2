import type { StitchFile } from './stitch-file.ts'

/** Sorts files by path, then by home. */
export function comparePlace(a: StitchFile, b: StitchFile): number {
  return compareText(a.parsed.path, b.parsed.path) || compareText(a.home, b.home)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
