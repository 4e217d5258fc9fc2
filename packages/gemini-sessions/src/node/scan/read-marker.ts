import { readSmallFile } from '../files/read-bytes.ts'

const MAX_MARKER_BYTES = 64 * 1024

/** The project's root as the marker in this folder says; null without a marker. `onFault`: the system refuses to read it. */
export function readMarker(
  folder: string,
  onFault: (path: string, code: string) => void = () => {},
): string | null {
  const marker = `${folder}/.project_root`
  const path = readSmallFile(marker, MAX_MARKER_BYTES, (code) => onFault(marker, code))?.trim() ?? ''
  return path === '' ? null : path
}
