import { messageSchema, projectSchema, sessionSummarySchema, tokenUsageSchema } from 'gemini-sessions'
import { z } from 'zod'
import { budgetReportSchema } from './cost/budget.ts'
import { costReportSchema } from './cost/cost-report.ts'
import { answer, coverageSchema, unreadSchema, versionField } from './fields/answer.ts'
import { leavingSessionsSchema } from './leaving/export-several.ts'
import { folderSearchSchema, foldersSearchSchema, projectListSchema } from './lists/projects.ts'
import { searchResultSchema, suggestionListSchema } from './lists/search.ts'
import { sessionDetailSchema, sessionListSchema } from './lists/sessions.ts'
import { usageReportSchema } from './lists/usage.ts'
import { usageSumSchema } from './lists/usage-sum.ts'
import { usageWhySchema } from './lists/usage-why.ts'
import { doctorNotesSchema, doctorSchema } from './program/doctor.ts'
import { apiErrorSchema } from './program/error.ts'
import { forgetAnswerSchema } from './program/forget.ts'
import { healthSchema } from './program/health.ts'
import { keepStatusSchema } from './program/keep.ts'
import { liveEventSchema, streamHelloSchema } from './program/live-event.ts'
import {
  markAnswerSchema,
  markListSchema,
  marksTakenSchema,
  markTransferSchema,
  viewListSchema,
} from './program/marks.ts'
import { moveAnswerSchema } from './program/move.ts'
import { recoverAnswerSchema, writeJournalSchema } from './program/recover.ts'
import {
  cacheClearedSchema,
  healthReportSchema,
  sampleAddressSchema,
  settingsSchema,
} from './program/settings.ts'
import { testbedAnswerSchema } from './program/testbed.ts'
import { comparisonSchema } from './session/comparison.ts'
import { exportedFilesSchema, exportReviewSchema } from './session/export.ts'
import { fileHistorySchema } from './session/files.ts'
import { handoverSchema } from './session/handover.ts'
import { SESSION_QUESTIONS } from './session/questions.ts'
import { resumeSchema } from './session/resume.ts'

/** What `show --json` prints. */
const shownSessionSchema = answer({
  session: sessionSummarySchema,
  segments: sessionDetailSchema.shape.segments,
  coverage: coverageSchema,
  unread: unreadSchema.optional(),
  messages: z.array(messageSchema),
})

/** What `serve --json` prints when it listens, and `url --json` of a dashboard that runs. */
const servingSchema = answer({
  url: z.string(),
  port: z.number(),
  pid: z.number(),
  version: z.string(),
  homes: z.array(z.string()),
})

interface PublishedAnswer {
  schema: z.ZodType
  /** Where it is answered: addresses of the API, and commands. */
  of: readonly string[]
}

/** Every JSON that other programs may read, by the name of its shape. JSON Schemas of them are shipped. */
export const ANSWERS: Readonly<Record<string, PublishedAnswer>> = {
  Health: { schema: healthSchema, of: ['/api/health'] },
  ProjectList: { schema: projectListSchema, of: ['/api/projects'] },
  Project: { schema: projectSchema.extend(versionField), of: ['PUT /api/projects/:key'] },
  FoldersSearch: { schema: foldersSearchSchema, of: ['POST /api/projects/folder-search'] },
  FolderSearch: { schema: folderSearchSchema, of: ['POST /api/projects/:key/folder-search'] },
  SessionList: { schema: sessionListSchema, of: ['/api/sessions', 'list'] },
  SessionDetail: { schema: sessionDetailSchema, of: ['/api/sessions/:key'] },
  ShownSession: { schema: shownSessionSchema, of: ['show'] },
  ...sessionAnswers(),
  Handover: { schema: handoverSchema, of: ['/api/sessions/:key/handover', 'handover'] },
  LeavingSessions: { schema: leavingSessionsSchema, of: ['/api/export/sessions'] },
  ExportReview: { schema: exportReviewSchema, of: ['/api/sessions/:key/export/review'] },
  ExportedFiles: { schema: exportedFilesSchema, of: ['export'] },
  Resume: { schema: resumeSchema, of: ['/api/sessions/:key/resume', 'resume'] },
  CostReport: { schema: costReportSchema, of: ['/api/sessions/:key/cost?turn='] },
  FileHistory: { schema: fileHistorySchema, of: ['/api/files/history'] },
  SearchResult: { schema: searchResultSchema, of: ['/api/search', 'search'] },
  SuggestionList: { schema: suggestionListSchema, of: ['/api/search/suggest'] },
  Comparison: { schema: comparisonSchema, of: ['/api/compare'] },
  UsageReport: { schema: usageReportSchema, of: ['/api/usage', 'usage'] },
  UsageSum: { schema: usageSumSchema, of: ['/api/usage/sum'] },
  UsageWhy: { schema: usageWhySchema, of: ['/api/usage/why'] },
  BudgetReport: { schema: budgetReportSchema, of: ['/api/budgets', 'PUT /api/budgets/:scope'] },
  MarkList: { schema: markListSchema, of: ['/api/marks'] },
  MarkAnswer: {
    schema: markAnswerSchema,
    of: ['PUT /api/marks/:key', 'PUT /api/marks/:key/messages/:messageKey'],
  },
  MarkTransfer: { schema: markTransferSchema, of: ['marks'] },
  MarksTaken: { schema: marksTakenSchema, of: ['PUT /api/marks/file'] },
  ViewList: { schema: viewListSchema, of: ['/api/views', 'PUT /api/views'] },
  Doctor: { schema: doctorSchema, of: ['/api/doctor', 'doctor'] },
  DoctorNotes: { schema: doctorNotesSchema, of: ['/api/doctor/notes'] },
  ForgetAnswer: { schema: forgetAnswerSchema, of: ['POST /api/sessions/:key/forget', 'forget'] },
  RecoverAnswer: { schema: recoverAnswerSchema, of: ['POST /api/sessions/:key/recover', 'recover'] },
  MoveAnswer: {
    schema: moveAnswerSchema,
    of: ['POST /api/sessions/:key/move', 'POST /api/projects/:key/move', 'move'],
  },
  WriteJournal: { schema: writeJournalSchema, of: ['/api/journal'] },
  KeepStatus: {
    schema: keepStatusSchema,
    of: ['/api/keep', 'PUT /api/keep', 'POST /api/keep/now', 'keep'],
  },
  Settings: { schema: settingsSchema, of: ['/api/settings', 'PUT /api/settings'] },
  CacheCleared: { schema: cacheClearedSchema, of: ['POST /api/cache/clear'] },
  SampleAddress: { schema: sampleAddressSchema, of: ['POST /api/sample'] },
  HealthReport: { schema: healthReportSchema, of: ['/api/report'] },
  TestbedAnswer: { schema: testbedAnswerSchema, of: ['testbed'] },
  Serving: { schema: servingSchema, of: ['serve', 'url'] },
  StreamHello: { schema: streamHelloSchema, of: ['/api/events'] },
  LiveEvent: { schema: liveEventSchema, of: ['/api/events'] },
  ApiError: { schema: apiErrorSchema, of: ['every address that fails'] },
}

/** What answers are made of again and again: each has a file of its own, to which the others lead. */
export const SHARED_SHAPES: Readonly<Record<string, z.ZodType>> = {
  SessionSummary: sessionSummarySchema,
  Message: messageSchema,
  TokenUsage: tokenUsageSchema,
}

/** What is asked of one session, as its table has it. */
function sessionAnswers(): Record<string, PublishedAnswer> {
  const answers: Record<string, PublishedAnswer> = {}
  for (const [name, row] of Object.entries(SESSION_QUESTIONS)) {
    if ('shape' in row) answers[row.shape] = { schema: row.answer, of: [`/api/sessions/:key/${name}`] }
  }
  return answers
}
