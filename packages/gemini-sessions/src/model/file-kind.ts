import { z } from 'zod'

/** The type of a file that is not a session, though it is among sessions or named like one. */
export type FileKind = z.infer<typeof fileKindSchema>
export const fileKindSchema = z.enum([
  'saved-chat',
  'restore-point',
  'prompt-log',
  'gemini-dash-export',
  'conversation-record',
  'stream-json',
  'json-output',
  'activity-log',
  'telemetry',
  'claude-code',
  'codex',
  'qwen-code',
  'chat-of-another-tool',
  'html',
  'markdown',
  'git-lfs-pointer',
  'compressed',
  'database',
  'binary',
  'zeros',
  'commented-json',
  'json-value',
  'json-list',
  'json-object',
  'json-lines',
  'text',
])

interface KindOfFile {
  /** What it is, in a sentence. */
  reason: string
  /** What to do about it, in a sentence or two. */
  advice: string
  /** Its content may be missed by the user. */
  needsAttention: boolean
  /** Gemini CLI's own sessions never look like it. */
  isCertain: boolean
  /** Its rows can look like messages of a session. */
  mayHoldMessages?: boolean
}

const OTHER_TOOL = {
  advice: 'It can stay: nothing that Gemini CLI recorded is in it.',
  needsAttention: false,
  isCertain: true,
}

/** Each type of file with its sentence, and what to do; docs/problems.md has the same. */
export const FILE_KINDS: Readonly<Record<FileKind, KindOfFile>> = {
  'saved-chat': {
    reason: 'This is a saved chat, as /chat save and /chat share write it.',
    advice:
      'To list it among the saved chats, copy it into the folder of its project, beside chats/, as checkpoint-NAME.json.',
    needsAttention: true,
    isCertain: true,
  },
  'restore-point': {
    reason: 'This is a restore point, which Gemini CLI writes before a tool changes files.',
    advice: 'It belongs into the folder checkpoints/ of its project. The session has a file of its own.',
    needsAttention: false,
    isCertain: true,
  },
  'prompt-log': {
    reason: 'This is a prompt log: what was typed, without answers.',
    advice: 'It is read where it is called logs.json and is in the folder of its project, beside chats/.',
    needsAttention: true,
    isCertain: true,
  },
  'gemini-dash-export': {
    reason: 'This is a session that gemini-dash exported.',
    advice: 'An export cannot be read back. Export with --format raw to get the file of Gemini CLI itself.',
    needsAttention: true,
    isCertain: true,
    mayHoldMessages: true,
  },
  'conversation-record': {
    reason: 'This is a record of a conversation for other programs (verifiable agent conversations).',
    advice:
      'A record cannot be read back. Where gemini-dash wrote it, --format raw exports the file of Gemini CLI itself.',
    needsAttention: true,
    isCertain: true,
    mayHoldMessages: true,
  },
  'stream-json': {
    reason: 'This is output of gemini --output-format stream-json.',
    advice:
      'Gemini CLI records such a run in a session file of its own; this one can be opened in an editor.',
    needsAttention: true,
    isCertain: true,
  },
  'json-output': {
    reason: 'This is output of gemini --output-format json: one answer and its statistics.',
    advice:
      'Gemini CLI records such a run in a session file of its own; this one can be opened in an editor.',
    needsAttention: true,
    isCertain: true,
  },
  'activity-log': {
    reason: 'This is an activity log of Gemini CLI: console lines and network requests.',
    advice: 'It can stay: the session has a file of its own.',
    needsAttention: false,
    isCertain: true,
  },
  telemetry: {
    reason:
      'This is telemetry (OpenTelemetry), which Gemini CLI writes where its settings name a file for it.',
    advice: 'It can stay: the sessions have files of their own.',
    needsAttention: false,
    isCertain: true,
  },
  'claude-code': { reason: 'This is a log of Claude Code.', ...OTHER_TOOL },
  codex: { reason: 'This is a log of Codex.', ...OTHER_TOOL },
  'qwen-code': { reason: 'This is a log of Qwen Code.', ...OTHER_TOOL },
  'chat-of-another-tool': {
    reason:
      'This is a conversation that another program wrote: it has roles and texts, but nothing of Gemini CLI.',
    ...OTHER_TOOL,
  },
  html: {
    reason: 'This is an HTML page, for example an exported conversation.',
    advice: 'A browser opens it.',
    needsAttention: false,
    isCertain: true,
  },
  markdown: {
    reason: 'This is a Markdown text, for example an exported conversation.',
    advice: 'An editor opens it.',
    needsAttention: false,
    isCertain: true,
  },
  'git-lfs-pointer': {
    reason: 'This is a Git LFS pointer: the session itself was not downloaded.',
    advice: 'Run git lfs pull in that repository.',
    needsAttention: true,
    isCertain: true,
  },
  compressed: {
    reason: 'This is compressed, or an archive.',
    advice: 'Unpack it, and put what is in it in its place.',
    needsAttention: true,
    isCertain: true,
  },
  database: {
    reason: 'This is an SQLite database.',
    advice: 'Gemini CLI writes none; it can stay.',
    needsAttention: true,
    isCertain: true,
  },
  binary: {
    reason: 'This is binary data, not text.',
    advice: 'If it was a session, bring it back from a backup.',
    needsAttention: true,
    isCertain: false,
  },
  zeros: {
    reason: 'The file contains only zero bytes, as a power loss leaves it.',
    advice: 'Its content is lost, unless a backup has it.',
    needsAttention: true,
    isCertain: false,
  },
  'commented-json': {
    reason: 'This is JSON with comments, as documentation prints it; Gemini CLI writes none.',
    advice: 'It can stay. To have it read, remove the comments.',
    needsAttention: false,
    isCertain: true,
    mayHoldMessages: true,
  },
  'json-value': {
    reason: 'This is a single JSON value, such as null, and no session.',
    advice: 'If it was a session, something wrote over it: bring it back from a backup.',
    needsAttention: true,
    isCertain: false,
  },
  'json-list': {
    reason: 'This is a JSON list, and not of turns of a chat.',
    advice: 'If another program put it here, it can stay.',
    needsAttention: true,
    isCertain: false,
  },
  'json-object': {
    reason: 'This is JSON without the id and the messages that a session has.',
    advice: 'If another program put it here, it can stay.',
    needsAttention: true,
    isCertain: false,
  },
  'json-lines': {
    reason: 'These are lines of JSON without the records that a session has.',
    advice: 'If another program put it here, it can stay.',
    needsAttention: true,
    isCertain: false,
  },
  text: {
    reason: 'This is text, not JSON.',
    advice: 'If it was a session, bring it back from a backup; otherwise it can stay.',
    needsAttention: true,
    isCertain: false,
  },
}

/** The file type in an issue (`args.kind`); null if none. */
export function kindOfIssue({ args }: { args: Readonly<Record<string, string | number>> }): FileKind | null {
  return fileKindSchema.safeParse(args.kind).data ?? null
}
