import { readExitCode, readSignal } from '../lift/calls/call-outcome.ts'

/** Never a character of any text, and told apart from one in a file by its owner. */
const MARK = '\uFDD0'
const STAND_IN = new RegExp(`${MARK}([0-9a-z]+)\\.(\\d+)\\.(\\d+)${MARK}`, 'g')
/** Enough to see that a text is a mask, or that its call was cancelled. */
const HEAD_CHARS = 96
const SMALL_CHARS = 1_000

/** Which text of which file's large texts. */
export interface TextName {
  /** The reading that put it aside: no text of a file can know it. */
  owner: string
  index: number
}

/**
 * What stands for a large text: its first characters, its name and, of a shell command's output, exit code and signal. So the
 * lift makes of it what it would make of the text itself.
 *
 * @param start of the text, or all of it
 * @param end some thousand characters at least
 */
export function standIn(start: string, { owner, index }: TextName, end = start): string {
  const [exitCode, signal] = [readExitCode(end), readSignal(end)]
  const tail = [
    exitCode === null ? '' : `\nExit Code: ${exitCode}`,
    signal === null ? '' : `\nSignal: ${signal}`,
  ].join('')
  const short = `${start.slice(0, HEAD_CHARS)}${MARK}${owner}.${index}.${tail.length}${MARK}${tail}`
  // A copy: a slice would keep the whole text in memory.
  return start.length > SMALL_CHARS ? JSON.parse(JSON.stringify(short)) : short
}

/** The text, with what `read` tells in place of each stand-in. */
export function replaceStandIns(text: string, read: (name: TextName) => string | undefined): string {
  if (!text.includes(MARK)) return text
  let result = ''
  let done = 0
  for (const match of text.matchAll(STAND_IN)) {
    const [mark, owner = '', index, tailLength] = match
    const whole = read({ owner, index: Number(index) })
    if (whole === undefined) continue
    result += text.slice(done, Math.max(match.index - HEAD_CHARS, 0)) + whole
    done = match.index + mark.length + Number(tailLength)
  }
  return result + text.slice(done)
}
