import type { Message } from '../../model/message.ts'
import { readSessionPath } from '../files/read-session-path.ts'
import type { StitchFile } from '../files/stitch-file.ts'
import { isConversationMessage } from '../messages/message-kinds.ts'
import { messageText } from '../messages/message-text.ts'

/**
 * Sets of files that hold one conversation: twins, copies and resumes. They share a message made by a person or the
 * model, or are copies of one file: the same name and the same recorded start. Injected messages prove nothing: the
 * session context has the same id in every session of every project.
 */
export function joinFiles(files: readonly StitchFile[]): StitchFile[][] {
  const parents = files.map((_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (parents[root] !== undefined && parents[root] !== root) root = parents[root] ?? root
    // Flattened, so that thousands of files under one id cost no more than their messages.
    for (let at = index; at !== root; ) {
      const next = parents[at] ?? root
      parents[at] = root
      at = next
    }
    return root
  }
  const firstWith = new Map<string, number>()
  for (const [index, file] of files.entries()) {
    for (const proof of proofsOf(file)) {
      const other = firstWith.get(proof)
      if (other === undefined) firstWith.set(proof, index)
      else parents[rootOf(index)] = rootOf(other)
    }
  }
  const sets = new Map<number, StitchFile[]>()
  for (const [index, file] of files.entries()) {
    const root = rootOf(index)
    const set = sets.get(root)
    if (set) set.push(file)
    else sets.set(root, [file])
  }
  return [...sets.values()]
}

/** Two files with one of these in common hold the same conversation. */
function proofsOf({ parsed }: StitchFile): string[] {
  const proofs = parsed.messages.filter(isConversationMessage).flatMap(proofOfMessage)
  const { firstStartTime } = parsed.header
  if (firstStartTime !== null) proofs.push(`file\n${readSessionPath(parsed.path).stem}\n${firstStartTime}`)
  return proofs
}

/** Without an id (other tools, damaged files) the same words at the same millisecond. */
function proofOfMessage(message: Message): string[] {
  if (message.id !== '') return [`id\n${message.id}`]
  const text = messageText(message)
  return message.timestamp === null || text === ''
    ? []
    : [`text\n${message.timestamp}\n${message.type}\n${text}`]
}
