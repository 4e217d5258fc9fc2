import type { Message } from '../../model/message.ts'
import type { SessionFile } from '../../model/session-summary.ts'
import type { ParsedFile } from '../../parse/log/parsed-file.ts'
import type { StitchFile } from '../files/stitch-file.ts'

export function toSessionFile({ home, parsed, kept }: StitchFile, role: SessionFile['role']): SessionFile {
  return {
    home,
    path: parsed.path,
    sizeBytes: parsed.sizeBytes,
    format: parsed.format,
    role,
    lastUpdated: parsed.header.lastUpdated,
    resumable: isResumable(parsed),
    ...(kept && { kept }),
  }
}

/** As the CLI judges a file (0.61.0): by what it holds now, so not by what was taken back. */
function isResumable({ header, messages, isDamaged }: ParsedFile): boolean {
  if (isDamaged || header.sessionId === null || header.kind === 'subagent') return false
  return messages.some((message) => message.superseded === null && isTalk(message))
}

/** A prompt that is no command of the CLI, or anything of the model. */
function isTalk({ type, origin, content, thoughts, toolCalls }: Message): boolean {
  const text = content.map((part) => (part.kind === 'text' ? part.text : '…')).join('')
  if (type === 'gemini') return text.trim() !== '' || thoughts.length > 0 || toolCalls.length > 0
  if (type !== 'user' || origin === 'injected') return false
  return text.trim() !== '' && !/^\s*[/?]/.test(text)
}
