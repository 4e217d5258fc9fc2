import type { Message } from 'gemini-sessions'
import type { IndexTree } from '../../query/tree/query-tree.ts'
import { pathPattern } from '../../rows/path-pattern.ts'
import type { FieldPiece } from '../../text/field-pieces.ts'
import { stringValues } from '../../text/string-values.ts'
import { toolOutputTexts } from '../../text/tool-output-texts.ts'

/** The texts with that one first which most of the filters ask for: of several calls the path, the tool, what failed. */
export function tellingFirst(
  pieces: FieldPiece[],
  tree: IndexTree | null,
  message: Message | null,
): FieldPiece[] {
  if (tree === null || message === null) return pieces
  const counts = pieces.map((piece) => askedBy(piece, tree, message))
  const first = pieces[counts.indexOf(Math.max(...counts))]
  return first === undefined ? pieces : [first, ...pieces.filter((piece) => piece !== first)]
}

/** How many filters of the tree ask for just this text. */
function askedBy(piece: FieldPiece, tree: IndexTree, message: Message): number {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return tree.of.reduce((sum, part) => sum + askedBy(piece, part, message), 0)
    case 'file':
      return Number(piece.field === 'tool-args' && pathPattern(tree.pattern)(toPath(piece.text)))
    case 'tools':
      return Number(piece.toolName !== null && tree.names.includes(piece.toolName))
    case 'is':
      return Number(tree.what === 'error' && failedTexts(message).includes(piece.text))
    case 'has':
      return Number(piece.field === 'tool-args' && textsOfCallsWith(tree.what, message).includes(piece.text))
    default:
      return 0
  }
}

function toPath(text: string): string {
  return text.replaceAll('\\', '/')
}

function failedTexts({ toolCalls }: Message): string[] {
  return toolCalls.flatMap((call) => (call.failed ? toolOutputTexts(call) : []))
}

/** Arguments of the calls that brought what is asked for, and of no other call of the message. */
function textsOfCallsWith(what: string, { toolCalls }: Message): string[] {
  return toolCalls
    .filter((call) => [call.output, call.display, ...call.extraParts].some((shown) => shown?.kind === what))
    .flatMap(({ args }) => stringValues(args))
}
