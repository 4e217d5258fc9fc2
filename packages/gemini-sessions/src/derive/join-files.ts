import { isConversationMessage } from './is-conversation-message.ts'
import type { StitchFile } from './stitch-file.ts'

/**
 * Sets of files that share a message made by a person or the model: twins, copies and resumes of one conversation.
 * Injected messages prove nothing: the session context has the same id in every session of every project.
 */
export function joinFiles(files: readonly StitchFile[]): StitchFile[][] {
  let sets: JoinedFiles[] = []
  const setOfId = new Map<string, JoinedFiles>()
  for (const file of files) {
    const ownIds = conversationIds(file)
    const touched = new Set(ownIds.flatMap((id) => setOfId.get(id) ?? []))
    const joined: JoinedFiles = {
      files: [...touched].flatMap((set) => set.files).concat(file),
      ids: [...touched].flatMap((set) => set.ids).concat(ownIds),
    }
    for (const id of joined.ids) setOfId.set(id, joined)
    sets = [...sets.filter((set) => !touched.has(set)), joined]
  }
  return sets.map((set) => set.files)
}

interface JoinedFiles {
  files: StitchFile[]
  ids: string[]
}

function conversationIds({ parsed }: StitchFile): string[] {
  return parsed.messages.filter((m) => m.id !== '' && isConversationMessage(m)).map((m) => m.id)
}
