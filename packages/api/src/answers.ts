import { messageSchema, projectSchema, sessionSummarySchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'
import { liveEventSchema, streamHelloSchema } from './events.ts'
import { answer, coverageSchema, unreadSchema, versionField } from './fields.ts'
import { sessionDetailSchema } from './lists/sessions.ts'
import { folderSearchSchema, foldersSearchSchema } from './lists/usage.ts'
import { markAnswerSchema, marksTakenSchema, markTransferSchema } from './marks.ts'
import {
  forgetAnswerSchema,
  forkAnswerSchema,
  moveAnswerSchema,
  recoverAnswerSchema,
  testbedAnswerSchema,
} from './program.ts'
import { QUESTIONS } from './questions.ts'
import { exportedFilesSchema, handoverSchema, SESSION_QUESTIONS } from './session.ts'
import {
  apiErrorSchema,
  cacheClearedSchema,
  openedAddedSchema,
  openedAddressSchema,
  sampleAddressSchema,
} from './settings.ts'

/** What `show --json` prints. */
const shownSessionSchema = answer({
  session: sessionSummarySchema,
  segments: sessionDetailSchema.shape.segments,
  coverage: coverageSchema,
  unread: unreadSchema.optional(),
  messages: z.array(messageSchema),
})

/** Printed by `serve --json` and `open --json` once they listen, and by `url --json` for a running dashboard. */
const servingSchema = answer({
  url: z.string(),
  port: z.number(),
  pid: z.number(),
  version: z.string(),
  homes: z.array(z.string()),
})

interface PublishedAnswer {
  schema: z.ZodType
  /** API paths and commands that return it. */
  of: readonly string[]
}

/** Every JSON document that other programs may read, by the name of its shape. Their JSON Schemas are shipped. */
export const ANSWERS: Readonly<Record<string, PublishedAnswer>> = {
  ...questionAnswers(),
  Project: { schema: projectSchema.extend(versionField), of: ['PUT /api/projects/:key'] },
  FoldersSearch: { schema: foldersSearchSchema, of: ['POST /api/projects/folder-search'] },
  FolderSearch: { schema: folderSearchSchema, of: ['POST /api/projects/:key/folder-search'] },
  ShownSession: { schema: shownSessionSchema, of: ['show'] },
  ...sessionAnswers(),
  Handover: { schema: handoverSchema, of: ['/api/sessions/:key/handover', 'handover'] },
  ExportedFiles: { schema: exportedFilesSchema, of: ['export'] },
  MarkAnswer: {
    schema: markAnswerSchema,
    of: ['PUT /api/marks/:key', 'PUT /api/marks/:key/messages/:messageKey'],
  },
  MarkTransfer: { schema: markTransferSchema, of: ['marks'] },
  MarksTaken: { schema: marksTakenSchema, of: ['PUT /api/marks/file'] },
  ForgetAnswer: { schema: forgetAnswerSchema, of: ['POST /api/sessions/:key/forget', 'forget'] },
  RecoverAnswer: { schema: recoverAnswerSchema, of: ['POST /api/sessions/:key/recover', 'recover'] },
  ForkAnswer: { schema: forkAnswerSchema, of: ['POST /api/sessions/:key/fork', 'fork'] },
  MoveAnswer: {
    schema: moveAnswerSchema,
    of: ['POST /api/sessions/:key/move', 'POST /api/projects/:key/move', 'move'],
  },
  CacheCleared: { schema: cacheClearedSchema, of: ['POST /api/cache/clear'] },
  SampleAddress: { schema: sampleAddressSchema, of: ['POST /api/sample'] },
  OpenedAdded: { schema: openedAddedSchema, of: ['POST /api/open', 'keep add'] },
  OpenedAddress: { schema: openedAddressSchema, of: ['POST /api/open'] },
  TestbedAnswer: { schema: testbedAnswerSchema, of: ['testbed'] },
  Serving: { schema: servingSchema, of: ['serve', 'open', 'url'] },
  StreamHello: { schema: streamHelloSchema, of: ['/api/events'] },
  LiveEvent: { schema: liveEventSchema, of: ['/api/events'] },
  ApiError: { schema: apiErrorSchema, of: ['every address that fails'] },
}

/** Building blocks of many answers: each has its own schema file, which the others reference. */
export const SHARED_SHAPES: Readonly<Record<string, z.ZodType>> = {
  SessionSummary: sessionSummarySchema,
  Message: messageSchema,
  TokenUsage: tokenUsageSchema,
}

/** Questions about all sessions and about the program, from their table. */
function questionAnswers(): Record<string, PublishedAnswer> {
  const rows = Object.entries(QUESTIONS).map(([name, { shape, answer: schema, also }]) => {
    return [shape, { schema, of: [`/api/${name}`, ...also] }] as const
  })
  return Object.fromEntries(rows)
}

/** Questions about one session, from their table. */
function sessionAnswers(): Record<string, PublishedAnswer> {
  const answers: Record<string, PublishedAnswer> = {}
  for (const [name, row] of Object.entries(SESSION_QUESTIONS)) {
    if ('shape' in row) answers[row.shape] = { schema: row.answer, of: [`/api/sessions/:key/${name}`] }
  }
  return answers
}
