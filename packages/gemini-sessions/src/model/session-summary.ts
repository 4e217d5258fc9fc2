import { z } from 'zod'
import { costSchema, tokenUsageSchema } from './usage.ts'

/** What became of a failed call, by later runs of the same command in the same folder, or of the same tool on the same file or query. */
export type FailureFate = z.infer<typeof failureFateSchema>
export const failureFateSchema = z.enum(['laterSucceeded', 'stillFailing', 'neverRerun'])

/** The message of a run, and when it was recorded (ISO 8601 UTC). */
export const runPlaceSchema = z.strictObject({ messageKey: z.string(), timestamp: z.string().nullable() })

/** The fate of one failed call, with the runs that determine it. */
export type CallFate = z.infer<typeof callFateSchema>
export const callFateSchema = z.strictObject({
  kind: failureFateSchema,
  /** The last successful run before it; null: none. */
  worked: runPlaceSchema.nullable(),
  /** The first successful run after it; null unless `kind` is `laterSucceeded`. */
  succeeded: runPlaceSchema.nullable(),
})

/** Number of failed calls by fate. Rewound and replaced calls have none. */
export type FateCounts = z.infer<typeof fateCountsSchema>
export const fateCountsSchema = z.strictObject({
  laterSucceeded: z.number(),
  stillFailing: z.number(),
  neverRerun: z.number(),
})

/** How many edits were made between two runs of a command, and in which files. Changes by commands are not counted. */
export type EditsBetween = z.infer<typeof editsBetweenSchema>
export const editsBetweenSchema = z.strictObject({
  count: z.number(),
  /** The first ten, relative to the project. */
  files: z.array(z.string()),
})

/** How a session ended, in one word. If several apply, the first of these. */
export type VerdictKind = z.infer<typeof verdictKindSchema>
export const verdictKindSchema = z.enum([
  'damaged', // its end, or all of it, cannot be read
  'empty', // no messages
  'none', // nothing that can end: a saved chat, or only prompts
  'running', // it is being written
  'apiError', // the API refused the last request
  'noReply', // a prompt or a result without an answer
  'declined', // the user declined the last call
  'stopped', // the user stopped it
  'midAnswer', // the last answer is incomplete
  'stillFailing', // the last run of a command failed, and there was an earlier run
  'neverRerun', // a command failed in its only run
  'finished',
])

/**
 * What the end of a session's log shows. The CLI records a call when it is over, so a running call and one waiting for approval look the
 * same. asked: something was sent to the model and no answer is recorded; calling: the model requested a call that has no result; answered:
 * the last message is an answer in text; silent: there is no conversation.
 */
export type SessionActivity = z.infer<typeof sessionActivitySchema>
export const sessionActivitySchema = z.strictObject({
  state: z.enum(['asked', 'calling', 'answered', 'silent']),
  /** Time of the last record. */
  since: z.string().nullable(),
})

/** A command whose last run failed: the last one that is still failing, else the last that was never rerun. */
export type OpenCommand = z.infer<typeof openCommandSchema>
export const openCommandSchema = z.strictObject({
  fate: failureFateSchema.exclude(['laterSucceeded']),
  /** The sentence, without times. */
  text: z.string(),
  /** On one line, at most 200 characters. */
  command: z.string(),
  /** Of the last run; null: not recorded. */
  exitCode: z.number().nullable(),
  /** The last successful run; null: none. */
  worked: runPlaceSchema.nullable(),
  /** The first failed run since. */
  failed: runPlaceSchema,
  /** The last run. */
  last: runPlaceSchema,
  /** Edits after `worked` and before `failed`; null if it never worked. Changes by commands are not counted. */
  edits: editsBetweenSchema.nullable(),
  /** Another command, of which this one is a narrower form, that succeeded after the last run. It proves nothing about this one. */
  passedLater: z.string().nullable(),
  /** Number of further commands with the same fate. */
  others: z.number(),
})

/** How a session ended. All displays use this instead of deciding on their own. */
export type Verdict = z.infer<typeof verdictSchema>
export const verdictSchema = z.strictObject({
  kind: verdictKindSchema,
  /** The sentence, without times, which are formatted for the reader. Commands are in backticks. */
  text: z.string(),
  /** The recorded part of `text`: a command, the API's message, or the first sentence of the last answer. null: none. */
  about: z.string().nullable(),
  /** The message that shows it. */
  messageKey: z.string().nullable(),
  /**
   * What the end of the log waits for; null if the run is over, for example after an error. Whether it is running is only known to whoever
   * watches the files.
   */
  waits: sessionActivitySchema
    .extend({
      /** For `calling`: the call as named in `text`, if recorded. */
      call: z.string().nullable(),
    })
    .nullable(),
  /** Also for a session that ended in another way. null: each failed command later succeeded. */
  open: openCommandSchema.nullable(),
})

/** A separate conversation, one started by another session, a chat saved by tag, or prompts known only from `logs.json`. */
export type SessionKind = z.infer<typeof sessionKindSchema>
const sessionKindSchema = z.enum(['main', 'subagent', 'checkpoint', 'prompts-only'])

/** The program that recorded a session. */
export type SessionProgram = z.infer<typeof sessionProgramSchema>
export const sessionProgramSchema = z.enum(['gemini-cli', 'antigravity-cli'])

/** Why a file is shown from an archived copy. */
export type KeptCopy = z.infer<typeof keptCopySchema>
export const keptCopySchema = z.strictObject({
  /**
   * deleted: it is missing in its Gemini folder; overwritten: it has less content there, or different content; added: it was never there.
   */
  cause: z.enum(['deleted', 'overwritten', 'added']),
  /** The name of the file it was added from. */
  from: z.string().optional(),
  /** When it was last seen in this state, ISO 8601 UTC. */
  lastSeen: z.string(),
  /** When the change was noticed, ISO 8601 UTC. */
  missed: z.string(),
})

/** One file of a session, and its role in it. */
export type SessionFile = z.infer<typeof sessionFileSchema>
const sessionFileSchema = z.strictObject({
  /** Absolute path of the Gemini folder, `/` on every system. */
  home: z.string(),
  /** Relative to that Gemini folder. */
  path: z.string(),
  sizeBytes: z.number(),
  /** `sqlite` and `transcript` are from Antigravity CLI. */
  format: z.enum(['json', 'jsonl', 'sqlite', 'transcript']),
  /** copy: the session is the same without it and all its other copies; part: it is not (`own`). */
  role: z.enum(['current', 'twin', 'copy', 'part', 'stub', 'segment', 'damaged']),
  /**
   * Of a part or twin: the number of messages with content that no newer file has, and the first of them; 0: only its head has such
   * content.
   */
  own: z.strictObject({ messages: z.number(), firstKey: z.string().nullable() }).optional(),
  /** The time in the file that Gemini CLI uses for its age, ISO 8601 UTC; null: none. Left out until it is read. */
  lastUpdated: z.string().nullable().optional(),
  /** Whether Gemini CLI can resume it; it deletes files that it cannot. Left out until the file is read. */
  resumable: z.boolean().optional(),
  /** Left out if the file is in its Gemini folder. */
  kept: keptCopySchema.optional(),
})

/** All except `messages` and `superseded` count the CLI's current state (buried: its last state). */
export type SessionCounts = z.infer<typeof sessionCountsSchema>
const sessionCountsSchema = z.strictObject({
  messages: z.number(),
  prompts: z.number(),
  answers: z.number(),
  thoughts: z.number(),
  toolCalls: z.number(),
  toolErrors: z.number(),
  notices: z.number(),
  superseded: z.number(),
})

/** Number of failures by kind. */
export type SessionFailures = z.infer<typeof sessionFailuresSchema>
export const sessionFailuresSchema = z.strictObject({
  tools: z.number(),
  refused: z.number(),
  unanswered: z.number(),
})

/** Figures over everything a session ever recorded; null until it is read. */
export type SessionFigures = z.infer<typeof sessionFiguresSchema>
export const sessionFiguresSchema = z.strictObject({
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  toolCalls: z.number().nullable(),
  /** Failed tool calls are `tools`; they do not include requests refused by the API. */
  failures: sessionFailuresSchema.nullable(),
})

/** The user's star, note, tags and title of a session; stored by another program, never in its files. */
const rowMarkSchema = z.strictObject({
  star: z.boolean(),
  note: z.string(),
  tags: z.array(z.string()),
  /** Also in the row's `title`. */
  title: z.string().nullable(),
  /** Time of the newest message that was seen; null: none. */
  seen: z.string().nullable(),
  /** Number of messages with a star, and with a note. */
  messages: z.strictObject({ starred: z.number(), noted: z.number() }),
})

/** The data of a list row. Counts, usage, cost and models are null until `indexed` is `full`. */
export type SessionSummary = z.infer<typeof sessionSummarySchema>
export const sessionSummarySchema = z.strictObject({
  key: z.string(),
  sessionId: z.string(),
  kind: sessionKindSchema,
  source: sessionProgramSchema,
  parentKey: z.string().nullable(),
  subagentKeys: z.array(z.string()),
  /** Other sessions of the same CLI run: the same id, but separate conversations. */
  sameRunKeys: z.array(z.string()),
  project: z.strictObject({ key: z.string(), name: z.string(), path: z.string().nullable() }),
  title: z.string(),
  /** `file`: nothing in it could be read, so this is its file name. */
  titleSource: z.enum(['user', 'summary', 'topic', 'prompt', 'file', 'none']),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  lastUpdated: z.string().nullable(),
  /** When the clean-up of Gemini CLI deletes it; in the past: at its next start. null: its settings keep it, or not checked. */
  deletedAfter: z.string().nullable(),
  /** null: none. */
  mark: rowMarkSchema.nullable(),
  /** When it was last seen in a Gemini folder, if it is only in the archive now; null: it is in a Gemini folder. */
  deletedSeen: z.string().nullable(),
  /** Whose clean-up deleted it, as far as its rules show. null: unknown, or it is in a Gemini folder. */
  deletedBy: z.enum(['gemini-cli']).nullable(),
  /** The session it was copied, forked or imported from, and how many of its requests count there; null: all of its requests count here. */
  copiedFrom: z.strictObject({ sessionKey: z.string(), requests: z.int() }).nullable(),
  indexed: z.enum(['name', 'head', 'full']),
  /** The CLI's final state is empty, but the log is not: shown in the last state with a conversation. */
  buried: z.boolean(),
  /** No conversation: its files have only context added by Gemini CLI, metadata and notices. false until it is read. */
  empty: z.boolean(),
  live: z.boolean(),
  /** How it ended; null until `indexed` is `full`. `ended` and `outcome` are simpler forms, for programs that read them. */
  verdict: verdictSchema.nullable(),
  ended: z.enum(['stopped', 'error']).nullable(),
  outcome: z
    .strictObject({
      /** error: the last request was refused, or the last run of a command failed. */
      kind: z.enum(['finished', 'live', 'stopped', 'error', 'unanswered', 'empty']),
      /** Fate of the commands in `text`. Left out for every other outcome. */
      fate: failureFateSchema.exclude(['laterSucceeded']).optional(),
      /** The text of the verdict. */
      text: z.string(),
      messageKey: z.string().nullable(),
    })
    .nullable(),
  /**
   * Failures ever recorded: tool calls, requests refused by the API, and prompts that were neither refused, answered nor rewound. null
   * until `indexed` is `full`.
   */
  failures: sessionFailuresSchema.nullable(),
  /** What became of the failed calls in `failures.tools`. null until `indexed` is `full`. */
  fates: fateCountsSchema.nullable(),
  issues: z.number(),
  firstPrompt: z.string().nullable(),
  /** At most 28 points over the model calls. */
  trace: z.array(
    z.strictObject({
      tokens: z.number(),
      failed: z.boolean(),
      /** Model calls in this point, and how many of them led to a failed tool. */
      calls: z.number(),
      failures: z.number(),
    }),
  ),
  models: z.array(z.strictObject({ name: z.string(), calls: z.number() })).nullable(),
  counts: sessionCountsSchema.nullable(),
  /** Over everything ever recorded, as in `usage` and `failures`; `counts` covers the CLI's current state. */
  recorded: z.strictObject({ turns: z.number(), toolCalls: z.number() }).nullable(),
  /** Spent: superseded calls count, revisions and copies never twice. Without sub-agents. */
  usage: tokenUsageSchema.nullable(),
  /** The same over the live messages. */
  liveUsage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  /** The session and all its sub-agents, as shown on pages and in texts. `usage`, `cost`, `recorded` and `failures` are its own share. */
  withSubagents: sessionFiguresSchema,
  files: z.array(sessionFileSchema),
  /** Its files that cannot be read at the moment; they are retried. Left out if there are none. */
  unread: z
    .strictObject({
      files: z.number(),
      /** System error code of the first: `EACCES`, `EIO`, `EMFILE`, ... */
      code: z.string(),
      /** Everything else in this row is from this time; null: nothing was known before. */
      asOf: z.string().nullable(),
    })
    .optional(),
})

const pathEvidenceSchema = z.enum([
  'marker', // `.project_root` in the project's folder (0.29+)
  'registry', // `projects.json` (0.29+)
  'hash', // a root known from another folder, whose SHA-256 is this project's
  'trusted-folder', // `trustedFolders.json`
  'directories', // the field of a session file
  'session-context', // the workspace folders in the text that the CLI adds before the first prompt
  'tool-arguments', // a folder with the files touched by the sessions' tools
  'git-root', // the repository of the touched files
  'search', // found on this computer by a search
  'user',
])
/** The source of a possible project root. */
export type PathEvidence = z.infer<typeof pathEvidenceSchema>

/** A folder that may be a project's root, and the evidence for it. */
export type PathCandidate = z.infer<typeof pathCandidateSchema>
export const pathCandidateSchema = z.strictObject({
  path: z.string(),
  evidence: pathEvidenceSchema,
  /** Its SHA-256 is the one written by the CLI. */
  verified: z.boolean(),
  /** Number of examined sessions that refer to it. */
  sessions: z.number().optional(),
})

/** One project of the user: its hash and slug folders, in every Gemini folder, are one project. */
export type Project = z.infer<typeof projectSchema>
export const projectSchema = z.strictObject({
  key: z.string(),
  name: z.string(),
  /** hash: only the folder's name is known, a SHA-256. */
  nameSource: z.enum(['user', 'path', 'folder', 'hash']),
  /** If the name is only a hash: the topic of its last session. */
  about: z.string().nullable(),
  /** The project's root, if proven, or as recorded by the CLI or set by the user. */
  path: z.string().nullable(),
  pathSource: z.enum(['marker', 'registry', 'hash', 'content', 'user', 'none']),
  /** Possible roots with their evidence, the strongest first; unproven ones are guesses. */
  candidates: z.array(pathCandidateSchema),
  /** Whether the folder at `path` is missing on this computer; null if not checked. */
  isPathGone: z.boolean().nullable(),
  /** Absolute paths of its folders in `tmp/`. */
  folders: z.array(z.string()),
  /** Main sessions. */
  sessions: z.number(),
  /** Main sessions without any conversation. */
  emptySessions: z.number(),
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  lastActivity: z.string().nullable(),
})
