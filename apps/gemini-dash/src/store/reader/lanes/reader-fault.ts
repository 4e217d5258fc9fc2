/** Why there is no answer, although nothing is wrong with the question. */
export type ReaderFaultCode = 'reader-stopped' | 'reader-timeout' | 'reader-unsendable' | 'unavailable'

const SENTENCES: Record<ReaderFaultCode, string> = {
  'reader-stopped':
    'The thread that reads sessions ended while it read this one, and was started again. Ask once more; if it happens again, the files of this session are too much for it.',
  'reader-timeout':
    'The thread that reads sessions gave no sign of life while it read this one, so it was ended and started again. Ask once more in a minute.',
  'reader-unsendable':
    'This session was read, but the answer is built in a way that cannot be handed on. Its file can still be opened by other programs.',
  unavailable:
    'A file of this session was written anew again and again while it was read. Ask once more in a moment.',
}

const TOO_FEW_FILES =
  'The thread that reads sessions ended, because this process may open no more files. Raise the limit of open files (ulimit -n), and ask once more.'

/** A question that the reader could not answer. Its message is for the person who asked. */
export class ReaderFault extends Error {
  readonly code: ReaderFaultCode

  constructor(code: ReaderFaultCode, cause?: unknown) {
    super(/EMFILE|ENFILE/.test(String(cause)) ? TOO_FEW_FILES : SENTENCES[code], { cause })
    this.code = code
  }
}
