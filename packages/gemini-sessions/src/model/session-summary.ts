import { z } from 'zod'
import { costSchema, tokenUsageSchema } from './issue.ts'

/**
 * What became of a failed call, by the later runs of the same command in the same folder, or of the same tool on the same
 * file or query.
 */
export type FailureFate = z.infer<typeof failureFateSchema>
export const failureFateSchema = z.enum(['laterSucceeded', 'stillFailing', 'neverRerun'])

/** Where a run is, and when it was recorded (ISO 8601 UTC). */
export const runPlaceSchema = z.strictObject({ messageKey: z.string(), timestamp: z.string().nullable() })

/** The fate of one failed call, with the runs that say so. */
export type CallFate = z.infer<typeof callFateSchema>
export const callFateSchema = z.strictObject({
  kind: failureFateSchema,
  /** The last run before it that succeeded; null: none did. */
  worked: runPlaceSchema.nullable(),
  /** The first run after it that succeeded; null unless `kind` is `laterSucceeded`. */
  succeeded: runPlaceSchema.nullable(),
})

/** How many failed calls have which fate. Calls that were rewound or replaced have none. */
export type FateCounts = z.infer<typeof fateCountsSchema>
export const fateCountsSchema = z.strictObject({
  laterSucceeded: z.number(),
  stillFailing: z.number(),
  neverRerun: z.number(),
})

/** How many edits were carried out between two runs of a command, and in which files. What commands changed is not counted. */
export type EditsBetween = z.infer<typeof editsBetweenSchema>
export const editsBetweenSchema = z.strictObject({
  count: z.number(),
  /** The first ten, by their names in the project. */
  files: z.array(z.string()),
})

/** How a session ended, in one word. One that has several reasons to be called unfinished has the first of these. */
export type VerdictKind = z.infer<typeof verdictKindSchema>
export const verdictKindSchema = z.enum([
  'damaged', // its end, or all of it, cannot be read
  'empty', // no messages
  'none', // nothing that could end: a saved chat, or prompts alone
  'running', // it is being written
  'apiError', // the API refused the last request
  'noReply', // a prompt or a result without an answer
  'declined', // the person declined the last call
  'stopped', // the person stopped it
  'midAnswer', // the last answer is not whole
  'stillFailing', // the last run of a command failed, and it ran before
  'neverRerun', // a command failed in its only run
  'finished',
])

/**
 * What the log of a session shows at its end. The CLI records a call when it is over, so a call that runs and one that
 * waits for the reader's approval look alike.
 * asked: something was said to the model and no answer is recorded; calling: the model asked for a call that has no
 * result; answered: the last word is an answer in words; silent: nobody said anything.
 */
export type SessionActivity = z.infer<typeof sessionActivitySchema>
export const sessionActivitySchema = z.strictObject({
  state: z.enum(['asked', 'calling', 'answered', 'silent']),
  /** Time of the last record. */
  since: z.string().nullable(),
})

/** A command whose last run failed: the last such command that is still failing, else the last that was never rerun. */
export type OpenCommand = z.infer<typeof openCommandSchema>
export const openCommandSchema = z.strictObject({
  fate: failureFateSchema.exclude(['laterSucceeded']),
  /** The sentence, without times. */
  text: z.string(),
  /** On one line, at most 200 characters. */
  command: z.string(),
  /** Of the last run; null: not recorded. */
  exitCode: z.number().nullable(),
  /** The last run that succeeded; null: none did. */
  worked: runPlaceSchema.nullable(),
  /** The first run that failed since. */
  failed: runPlaceSchema,
  /** The last run. */
  last: runPlaceSchema,
  /** Edits after `worked` and before `failed`; null where it never worked. Files that commands changed are not counted. */
  edits: editsBetweenSchema.nullable(),
  /** Another command, of which this one is a narrower form, that succeeded after the last run. It proves nothing about this one. */
  passedLater: z.string().nullable(),
  /** How many more commands have the same fate. */
  others: z.number(),
})

/** How a session ended. Every surface shows this, and none judges by itself. */
export type Verdict = z.infer<typeof verdictSchema>
export const verdictSchema = z.strictObject({
  kind: verdictKindSchema,
  /** The sentence, without times, as these are written where they are read. Commands are in backticks. */
  text: z.string(),
  /** What of `text` is recorded: a command, what the API said, or the first sentence of the last answer. null: nothing. */
  about: z.string().nullable(),
  /** The message that shows it. */
  messageKey: z.string().nullable(),
  /** What the end of the log waits for; null where the run is over, as after an error. Whoever watches the files tells whether it runs. */
  waits: sessionActivitySchema
    .extend({
      /** Of `calling`: the call as `text` names it, where it is recorded. */
      call: z.string().nullable(),
    })
    .nullable(),
  /** Also of a session that ended in another way. null: each failed command later succeeded. */
  open: openCommandSchema.nullable(),
})

/** A conversation of its own, one that another session started, a chat saved by tag, or prompts known from `logs.json` only. */
export type SessionKind = z.infer<typeof sessionKindSchema>
const sessionKindSchema = z.enum(['main', 'subagent', 'checkpoint', 'prompts-only'])

/** The program that recorded a session. */
export type SessionProgram = z.infer<typeof sessionProgramSchema>
export const sessionProgramSchema = z.enum(['gemini-cli', 'antigravity-cli'])

/** What became of a file that is shown from a copy that was kept. */
export type KeptCopy = z.infer<typeof keptCopySchema>
export const keptCopySchema = z.strictObject({
  /** deleted: it is missing in its home; overwritten: it holds less there, or something else; added: it never was there. */
  cause: z.enum(['deleted', 'overwritten', 'added']),
  /** The name of the file from which it was added. */
  from: z.string().optional(),
  /** When it was last seen as it is shown here, ISO 8601 UTC. */
  lastSeen: z.string(),
  /** When the change was noticed, ISO 8601 UTC. */
  missed: z.string(),
})

/** One file of a session, and its role in it. */
export type SessionFile = z.infer<typeof sessionFileSchema>
const sessionFileSchema = z.strictObject({
  /** Absolute path of the home, `/` on every system. */
  home: z.string(),
  /** Relative to that home. */
  path: z.string(),
  sizeBytes: z.number(),
  /** `sqlite` and `transcript` are of Antigravity CLI. */
  format: z.enum(['json', 'jsonl', 'sqlite', 'transcript']),
  /** copy: the session is the same without it, and without all its copies; part: it is not (`own`). */
  role: z.enum(['current', 'twin', 'copy', 'part', 'stub', 'segment', 'damaged']),
  /** Of a part or twin: in how many messages it tells what no newer file does, and the first of them; 0: only its head does. */
  own: z.strictObject({ messages: z.number(), firstKey: z.string().nullable() }).optional(),
  /** The time in the file by which Gemini CLI judges its age, ISO 8601 UTC; null: there is none. Left out until it is read. */
  lastUpdated: z.string().nullable().optional(),
  /** Whether Gemini CLI can resume it; it deletes what it cannot. Left out until the file is read. */
  resumable: z.boolean().optional(),
  /** Left out of a file that is in its home. */
  kept: keptCopySchema.optional(),
})

/** All but `messages` and `superseded` count what the CLI holds now (buried: what it held last). */
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

/** How much failed, by kind. */
export type SessionFailures = z.infer<typeof sessionFailuresSchema>
export const sessionFailuresSchema = z.strictObject({
  tools: z.number(),
  refused: z.number(),
  unanswered: z.number(),
})

/** Figures of everything that a session ever recorded; null until it is read. */
export type SessionFigures = z.infer<typeof sessionFiguresSchema>
export const sessionFiguresSchema = z.strictObject({
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  toolCalls: z.number().nullable(),
  /** Failed tool calls are `tools`; requests that the API refused are none of them. */
  failures: sessionFailuresSchema.nullable(),
})

/** Star, note, tags and title that a person gave a session; they come from a program that keeps them, never from its files. */
const rowMarkSchema = z.strictObject({
  star: z.boolean(),
  note: z.string(),
  tags: z.array(z.string()),
  /** Stands in the row's `title`, too. */
  title: z.string().nullable(),
  /** Time of the newest message that was seen; null: none. */
  seen: z.string().nullable(),
  /** How many single messages have a star, and a note. */
  messages: z.strictObject({ starred: z.number(), noted: z.number() }),
})

/** What a list row needs. Counts, usage, cost and models are null until `indexed` is `full`. */
export type SessionSummary = z.infer<typeof sessionSummarySchema>
export const sessionSummarySchema = z.strictObject({
  key: z.string(),
  sessionId: z.string(),
  kind: sessionKindSchema,
  source: sessionProgramSchema,
  parentKey: z.string().nullable(),
  subagentKeys: z.array(z.string()),
  /** Other sessions of the same CLI run: same id, but a conversation of their own. */
  sameRunKeys: z.array(z.string()),
  project: z.strictObject({ key: z.string(), name: z.string(), path: z.string().nullable() }),
  title: z.string(),
  /** `file`: nothing in it could be read, so this is the name of its file. */
  titleSource: z.enum(['user', 'summary', 'topic', 'prompt', 'file', 'none']),
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  lastUpdated: z.string().nullable(),
  /** When the clean-up of Gemini CLI deletes it; in the past: at its next start. null: its settings keep it, or nobody asked. */
  deletedAfter: z.string().nullable(),
  /** null: there is none. */
  mark: rowMarkSchema.nullable(),
  /** When it was last seen in a home, if only the archive holds it now; null: it is there. */
  deletedSeen: z.string().nullable(),
  /** Whose clean-up deleted it, as far as its rules tell. null: not known, or it is there. */
  deletedBy: z.enum(['gemini-cli']).nullable(),
  /**
   * The session that this one was copied, forked or imported from, and how many of its requests count there; null: all of its
   * requests count here.
   */
  copiedFrom: z.strictObject({ sessionKey: z.string(), requests: z.int() }).nullable(),
  indexed: z.enum(['name', 'head', 'full']),
  /** The CLI's final state is empty, the log is not: drawn from the last state that held a conversation. */
  buried: z.boolean(),
  /** Nothing was ever said in it: its files have context that Gemini CLI adds by itself, metadata and notices alone. false until it is read. */
  empty: z.boolean(),
  live: z.boolean(),
  /** How it ended; null until `indexed` is `full`. `ended` and `outcome` say less of the same, for programs that read them. */
  verdict: verdictSchema.nullable(),
  ended: z.enum(['stopped', 'error']).nullable(),
  outcome: z
    .strictObject({
      /** error: the last request was refused, or the last run of a command failed. */
      kind: z.enum(['finished', 'live', 'stopped', 'error', 'unanswered', 'empty']),
      /** Of the commands that `text` tells of. Left out of every other outcome. */
      fate: failureFateSchema.exclude(['laterSucceeded']).optional(),
      /** That of the verdict. */
      text: z.string(),
      messageKey: z.string().nullable(),
    })
    .nullable(),
  /**
   * What failed, ever recorded: calls of tools, requests that the API refused, and prompts that neither were refused nor
   * answered nor taken back. null until `indexed` is `full`.
   */
  failures: sessionFailuresSchema.nullable(),
  /** Of the failed calls in `failures.tools`: what became of them. null until `indexed` is `full`. */
  fates: fateCountsSchema.nullable(),
  issues: z.number(),
  firstPrompt: z.string().nullable(),
  /** At most 28 points over the model calls. */
  trace: z.array(
    z.strictObject({
      tokens: z.number(),
      failed: z.boolean(),
      /** Model calls behind this point, and those of them that led to a failed tool. */
      calls: z.number(),
      failures: z.number(),
    }),
  ),
  models: z.array(z.strictObject({ name: z.string(), calls: z.number() })).nullable(),
  counts: sessionCountsSchema.nullable(),
  /** Of everything ever recorded, as in `usage` and `failures`; `counts` has what the CLI still holds. */
  recorded: z.strictObject({ turns: z.number(), toolCalls: z.number() }).nullable(),
  /** Spent: superseded calls count, revisions and copies never twice. Without sub-agents. */
  usage: tokenUsageSchema.nullable(),
  /** The same over the live messages. */
  liveUsage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  /**
   * The session and every sub-agent below it: what pages and texts show. `usage`, `cost`, `recorded` and `failures` are its
   * own share.
   */
  withSubagents: sessionFiguresSchema,
  files: z.array(sessionFileSchema),
  /** Files of it that the system does not let us read just now; they are tried again. Left out where there are none. */
  unread: z
    .strictObject({
      files: z.number(),
      /** The system's code of the first of them: `EACCES`, `EIO`, `EMFILE`, ... */
      code: z.string(),
      /** Everything else in this row is as of this time; null: nothing was known before. */
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
  'session-context', // the workspace folders in the text that the CLI puts before the first prompt
  'tool-arguments', // a folder that holds what the sessions' tools touched
  'git-root', // the repository in which the touched files lie
  'search', // found on this computer by looking for it
  'user',
])
/** What names a path as a project's root. */
export type PathEvidence = z.infer<typeof pathEvidenceSchema>

/** A folder that may be a project's root, and what speaks for it. */
export type PathCandidate = z.infer<typeof pathCandidateSchema>
export const pathCandidateSchema = z.strictObject({
  path: z.string(),
  evidence: pathEvidenceSchema,
  /** Its SHA-256 is the one that the CLI wrote down. */
  verified: z.boolean(),
  /** How many of the sessions that were looked at name it. */
  sessions: z.number().optional(),
})

/** One project of the user: its hash and slug folders, in every home, are one Project. */
export type Project = z.infer<typeof projectSchema>
export const projectSchema = z.strictObject({
  key: z.string(),
  name: z.string(),
  /** hash: nothing is known but the folder's name, a SHA-256. */
  nameSource: z.enum(['user', 'path', 'folder', 'hash']),
  /** Where only a hash names it: what its last session is about. */
  about: z.string().nullable(),
  /** The project's root, if proven, or as the CLI or the user says. */
  path: z.string().nullable(),
  pathSource: z.enum(['marker', 'registry', 'hash', 'content', 'user', 'none']),
  /** What speaks for which path, the strongest first; unproven ones are guesses. */
  candidates: z.array(pathCandidateSchema),
  /** There is no folder at `path` on this computer; null where nobody looked. */
  isPathGone: z.boolean().nullable(),
  /** Absolute paths of its folders under `tmp/`. */
  folders: z.array(z.string()),
  /** Main sessions. */
  sessions: z.number(),
  /** Those of them in which nothing was ever said. */
  emptySessions: z.number(),
  usage: tokenUsageSchema.nullable(),
  cost: costSchema.nullable(),
  lastActivity: z.string().nullable(),
})
