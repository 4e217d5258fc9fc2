import { readSmallFile } from './read-small-file.ts'

const MAX_MARKER_BYTES = 64 * 1024

/** The project's root as the marker in this folder says; null without a marker. */
export function readMarker(folder: string): string | null {
  const path = readSmallFile(`${folder}/.project_root`, MAX_MARKER_BYTES)?.trim() ?? ''
  return path === '' ? null : path
}
