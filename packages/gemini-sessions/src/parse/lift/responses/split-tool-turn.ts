import { isRawObject, type RawObject } from '../../../raw/raw-object.ts'

export interface ToolTurn {
  /** Of each functionResponse the part itself and what came back beside it. */
  answers: unknown[][]
  /** What stands in the same turn and is no tool's: words of a person or of the CLI. */
  rest: unknown[]
}

/**
 * Parts the results in a `user` turn from words that share it: the CLI joins neighbouring turns of one role (0.44+).
 * Pictures belong to the result before them. So does text up to 0.27, where the result itself says no more than that the
 * tool has succeeded; since 0.28 a tool's text stands in its output.
 */
export function splitToolTurn(parts: readonly unknown[]): ToolTurn {
  const answers: unknown[][] = []
  const rest: unknown[] = []
  let current: unknown[] | null = null
  for (const part of parts) {
    if (isResponse(part)) {
      current = [part]
      answers.push(current)
    } else if (current !== null && (isMedia(part) || isToolText(part, current))) current.push(part)
    else {
      rest.push(part)
      // A picture behind somebody's words is part of them.
      if (isText(part)) current = null
    }
  }
  const [first, ...others] = answers
  if (first === undefined || others.length > 0) return { answers, rest }
  const media = rest.filter((part) => isMedia(part) && parts.indexOf(part) < parts.indexOf(first[0]))
  first.push(...media)
  return { answers, rest: rest.filter((part) => !media.includes(part)) }
}

function isResponse(part: unknown): boolean {
  return isRawObject(part) && isRawObject(part.functionResponse)
}

function isMedia(part: unknown): boolean {
  return isRawObject(part) && (isRawObject(part.inlineData) || isRawObject(part.fileData))
}

function isText(part: unknown): part is RawObject & { text: string } {
  return isRawObject(part) && typeof part.text === 'string'
}

function isToolText(part: unknown, [answer]: readonly unknown[]): boolean {
  if (!isText(part) || !isRawObject(answer) || !isRawObject(answer.functionResponse)) return false
  const { response } = answer.functionResponse
  return isRawObject(response) && response.output === 'Tool execution succeeded.'
}
