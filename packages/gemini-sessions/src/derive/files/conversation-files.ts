import type { StitchFile } from './stitch-file.ts'

/** The files of one session, sorted out but not yet merged. */
export interface ConversationFiles {
  kind: 'main' | 'subagent'
  /** Each holds the files of one part (twins, copies, resumes); `/compress` (0.18 to 0.24) began the next part. */
  parts: StitchFile[][]
  /** Files without a human or model message that belong to this conversation. */
  stubs: StitchFile[]
}
