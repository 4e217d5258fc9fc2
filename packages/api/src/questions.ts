import { z } from 'zod'
import { budgetQuerySchema, budgetReportSchema } from './cost.ts'
import { doctorNotesSchema, doctorSchema, healthSchema } from './doctor.ts'
import { exportSeveralQuerySchema, sessionsToExportSchema } from './exports.ts'
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
import { markListSchema, markQuerySchema, viewListSchema, writeJournalSchema } from './program.ts'
import { exportReviewQuerySchema, exportReviewSchema, resumeQuerySchema, resumeSchema } from './session.ts'
import { healthReportSchema, keepStatusSchema, settingsSchema } from './settings.ts'

const none = z.object({})
const ofSession = z.object({ key: z.string() })

/**
 * Everything that is asked of all sessions or of the program, and of one session what its reader does not answer. The name of a
 * question is its address below `/api/`; what the address names with `:` stands among the parameters, the others follow a `?`.
 * `shape` names the answer in the docs, `also` is where else it is given: commands, and addresses that change something. Route,
 * address, docs and the page's client follow from this table; the server says how each is answered (`ANSWERS` of its routes).
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

/** The name of a question, which is its address below `/api/`. */
export type Question = keyof typeof QUESTIONS

/** What a question is asked with, after defaults. */
export type QuestionParameters<Q extends Question> = z.output<(typeof QUESTIONS)[Q]['parameters']>

/** What comes back as JSON. */
export type QuestionAnswer<Q extends Question> = z.output<(typeof QUESTIONS)[Q]['answer']>

/** All names, in the order of the table. */
export const questions = Object.keys(QUESTIONS) as Question[]
