import type { Unread } from '@gemini-dash/api'

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: '"gemini-dash doctor" names them; check who may read them.',
  EPERM: '"gemini-dash doctor" names them; check who may read them.',
  EIO: 'The disk reports errors: make a copy of what matters, and check it.',
  EMFILE: 'Too many files are open at once: raise the limit (ulimit -n).',
  ENFILE: 'Too many files are open on this system: end programs that hold many.',
  ENOENT: 'The folder of sessions has gone: if it lies on another disk, connect that again.',
}

/** What is not read, in a sentence, and what to do about it. */
export function explainUnread({ files, reasons }: Unread): { message: string; advice: string } {
  const codes = Object.keys(reasons)
  const counted = codes.length === 1 ? codes[0] : codes.map((code) => `${code}: ${reasons[code]}`).join(', ')
  const what = files === 1 ? '1 file or folder cannot be read' : `${files} files or folders cannot be read`
  return {
    message: `${what} just now (${counted}). What was known of them before counts; they are tried again.`,
    advice: ADVICE[codes[0] ?? ''] ?? '"gemini-dash doctor" names them.',
  }
}
