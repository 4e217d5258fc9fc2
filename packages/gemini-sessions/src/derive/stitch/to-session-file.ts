import type { SessionFile } from '../../model/session-summary.ts'
import type { StitchFile } from '../files/stitch-file.ts'

export function toSessionFile({ home, parsed }: StitchFile, role: SessionFile['role']): SessionFile {
  return { home, path: parsed.path, sizeBytes: parsed.sizeBytes, format: parsed.format, role }
}
