import { z } from 'zod'
import { budgetQuerySchema, budgetReportSchema } from './cost.ts'
import { doctorNotesSchema, doctorSchema, healthSchema } from './doctor.ts'
import { exportSeveralQuerySchema, sessionsToExportSchema } from './exports.ts'
import { keepStatusSchema } from './keep.ts'
import {
  searchQuerySchema,
  searchResultSchema,
  sessionDetailQuerySchema,
  sessionDetailSchema,
  sessionListSchema,
  sessionQuerySchema,
  suggestionListSchema,
  suggestQuerySchema,
} from './lists/sessions.ts'
import {
  projectListSchema,
  usageQuerySchema,
  usageReportSchema,
  usageWhyQuerySchema,
  usageWhySchema,
} from './lists/usage.ts'
import { markListSchema, markQuerySchema, viewListSchema } from './marks.ts'
import { writeJournalSchema } from './program.ts'
import { exportReviewQuerySchema, exportReviewSchema, resumeQuerySchema, resumeSchema } from './session.ts'
import { healthReportSchema, settingsSchema } from './settings.ts'

const none = z.object({})
const ofSession = z.object({ key: z.string() })

/**
 * All questions about all sessions or the program, and those about one session that its reader does not answer. The name of a question is
 * its path below `/api/`; names with `:` are path parameters, the others query parameters.
 * `shape` names the answer in the docs, `also` lists other places that return it: commands, and paths that change something. Route, path,
 * docs and the page's client are derived from this table; the server defines how each is answered (`ANSWERS` of its routes).
 */
export const QUESTIONS = {
  health: { parameters: none, answer: healthSchema, shape: 'Health', also: [] },
  projects: { parameters: none, answer: projectListSchema, shape: 'ProjectList', also: ['projects'] },
  sessions: {
    parameters: sessionQuerySchema,
    answer: sessionListSchema,
    shape: 'SessionList',
    also: ['list'],
  },
  'sessions/:key': {
    parameters: sessionDetailQuerySchema.extend(ofSession.shape),
    answer: sessionDetailSchema,
    shape: 'SessionDetail',
    also: [],
  },
  'sessions/:key/resume': {
    parameters: resumeQuerySchema.extend(ofSession.shape),
    answer: resumeSchema,
    shape: 'Resume',
    also: ['resume'],
  },
  'sessions/:key/export/review': {
    parameters: exportReviewQuerySchema.extend(ofSession.shape),
    answer: exportReviewSchema,
    shape: 'ExportReview',
    also: [],
  },
  'export/sessions': {
    parameters: exportSeveralQuerySchema,
    answer: sessionsToExportSchema,
    shape: 'SessionsToExport',
    also: [],
  },
  search: {
    parameters: searchQuerySchema,
    answer: searchResultSchema,
    shape: 'SearchResult',
    also: ['search'],
  },
  'search/suggest': {
    parameters: suggestQuerySchema,
    answer: suggestionListSchema,
    shape: 'SuggestionList',
    also: [],
  },
  usage: { parameters: usageQuerySchema, answer: usageReportSchema, shape: 'UsageReport', also: ['usage'] },
  'usage/why': { parameters: usageWhyQuerySchema, answer: usageWhySchema, shape: 'UsageWhy', also: [] },
  budgets: {
    parameters: budgetQuerySchema,
    answer: budgetReportSchema,
    shape: 'BudgetReport',
    also: ['PUT /api/budgets/:scope'],
  },
  marks: { parameters: markQuerySchema, answer: markListSchema, shape: 'MarkList', also: [] },
  views: { parameters: none, answer: viewListSchema, shape: 'ViewList', also: ['PUT /api/views'] },
  doctor: { parameters: none, answer: doctorSchema, shape: 'Doctor', also: ['doctor'] },
  'doctor/notes': { parameters: none, answer: doctorNotesSchema, shape: 'DoctorNotes', also: [] },
  report: { parameters: none, answer: healthReportSchema, shape: 'HealthReport', also: [] },
  journal: { parameters: none, answer: writeJournalSchema, shape: 'WriteJournal', also: [] },
  keep: {
    parameters: none,
    answer: keepStatusSchema,
    shape: 'KeepStatus',
    also: ['PUT /api/keep', 'POST /api/keep/now', 'keep'],
  },
  settings: { parameters: none, answer: settingsSchema, shape: 'Settings', also: ['PUT /api/settings'] },
} as const satisfies Record<
  string,
  { parameters: z.ZodObject; answer: z.ZodType; shape: string; also: readonly string[] }
>

/** The name of a question, which is its path below `/api/`. */
export type Question = keyof typeof QUESTIONS

/** The parameters of a question, after defaults. */
export type QuestionParameters<Q extends Question> = z.output<(typeof QUESTIONS)[Q]['parameters']>

/** The JSON answer. */
export type QuestionAnswer<Q extends Question> = z.output<(typeof QUESTIONS)[Q]['answer']>

/** All names, in table order. */
export const questions = Object.keys(QUESTIONS) as Question[]
