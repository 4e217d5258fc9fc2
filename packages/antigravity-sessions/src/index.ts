/**
 * Conversations of Antigravity CLI (`agy`) in the model of `gemini-sessions`. Opens files only for reading; never writes or locks anything
 * in a Gemini folder.
 * @module
 */

export type {
  AntigravityFile,
  AntigravityIssue,
  AntigravityIssueCode,
  AntigravitySession,
  Artifact,
  StepDrift,
} from './conversation-files.ts'
export {
  type FolderRecords,
  folderRecords,
  readFolderRecords,
  type TypedPrompt,
} from './conversation-files.ts'
export { conversationKey } from './lift.ts'
export {
  type ConversationPlace,
  type ConversationReading,
  copyRows,
  readConversation,
  readWorkspace,
} from './read-conversation.ts'
export type { AgyModel } from './recorded-step.ts'
