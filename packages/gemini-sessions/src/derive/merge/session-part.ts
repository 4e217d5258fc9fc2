import type { Message } from '../../model/message.ts'
import type { Segment } from '../../model/turn.ts'
import type { StitchFile } from '../files/stitch-file.ts'

/** One segment of a session in the making. */
export interface SessionPart {
  reason: Segment['reason']
  /** Path of the file that holds it, relative to its home. */
  file: string
  /** The file that decides the live list here. */
  current: StitchFile
  messages: Message[]
}
