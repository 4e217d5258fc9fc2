import { contextXraySchema, reasoningSchema, sessionEditsSchema, wasteSchema } from 'gemini-sessions'
import { z } from 'zod'
import { callExplanationSchema } from '../cost/call-explanation.ts'
import { costReportQuerySchema } from '../cost/cost-report.ts'
import { costWhySchema } from '../cost/cost-why.ts'
import { sessionCostSchema } from '../cost/session-cost.ts'
import { sessionWhatIfSchema, whatIfQuerySchema } from '../cost/what-if.ts'
import { versionField } from '../fields/answer.ts'
import { tableQuerySchema } from '../fields/query-fields.ts'
import { fileChangeQuerySchema, sessionFileChangeSchema, sessionFilesSchema } from './files.ts'
import { handoverQuerySchema, handoverSchema } from './handover.ts'
import {
  findQuerySchema,
  findResultSchema,
  messagePageSchema,
  messageQuerySchema,
  rawRecordSchema,
  toolOutputQuerySchema,
} from './messages.ts'
import { neighbourFileQuerySchema, sessionNeighboursSchema } from './neighbours.ts'
import { sessionCallsQuerySchema, sessionCallsSchema } from './session-calls.ts'
import { sessionMapSchema } from './session-map.ts'
import { sessionTimelineSchema, timelineQuerySchema } from './timeline.ts'
import { transcriptQuerySchema, transcriptSchema } from './transcript.ts'

const none = z.object({})
const ofMessage = z.object({ messageKey: z.string() })

/**
 * Everything that is asked of one session. The name of a question is its address below `/api/sessions/:key/`; what the
 * address names with `:` stands among the parameters, the others follow a `?`. `shape` names the answer in the docs;
 * bytes and texts of messages have none. Route, address, docs and the page's client follow from this table; the reader
 * says how each is made (`MAKERS`).
 */
export const SESSION_QUESTIONS = {
  messages: { parameters: messageQuerySchema, answer: messagePageSchema, shape: 'MessagePage' },
  'messages/:messageKey/raw': { parameters: ofMessage, answer: rawRecordSchema, shape: 'RawRecord' },
  'messages/:messageKey/cost': {
    parameters: ofMessage,
    answer: callExplanationSchema,
    shape: 'CallExplanation',
  },
  'messages/:messageKey/parts/:index': {
    parameters: ofMessage.extend({ index: z.coerce.number().int().min(0) }),
    answer: null,
  },
  'tool-calls/:callId/output': {
    parameters: toolOutputQuerySchema.extend({ callId: z.string() }),
    answer: null,
  },
  map: { parameters: none, answer: sessionMapSchema, shape: 'SessionMap' },
  calls: { parameters: sessionCallsQuerySchema, answer: sessionCallsSchema, shape: 'SessionCalls' },
  cost: { parameters: costReportQuerySchema, answer: sessionCostSchema, shape: 'SessionCost' },
  transcript: {
    parameters: transcriptQuerySchema,
    answer: transcriptSchema,
    shape: 'Transcript',
  },
  find: { parameters: findQuerySchema, answer: findResultSchema, shape: 'FindResult' },
  reasoning: { parameters: none, answer: reasoningSchema.extend(versionField), shape: 'Reasoning' },
  context: {
    parameters: tableQuerySchema,
    answer: contextXraySchema.extend(versionField),
    shape: 'ContextXray',
  },
  waste: { parameters: none, answer: wasteSchema.extend(versionField), shape: 'Waste' },
  why: { parameters: none, answer: costWhySchema, shape: 'CostWhy' },
  'what-if': { parameters: whatIfQuerySchema, answer: sessionWhatIfSchema, shape: 'SessionWhatIf' },
  neighbours: { parameters: none, answer: sessionNeighboursSchema, shape: 'SessionNeighbours' },
  'neighbours/:fileId': {
    parameters: neighbourFileQuerySchema.extend({ fileId: z.string() }),
    answer: null,
  },
  files: { parameters: none, answer: sessionFilesSchema, shape: 'SessionFiles' },
  'files/change': {
    parameters: fileChangeQuerySchema,
    answer: sessionFileChangeSchema,
    shape: 'SessionFileChange',
  },
  edits: { parameters: none, answer: sessionEditsSchema.extend(versionField), shape: 'SessionEdits' },
  handover: { parameters: handoverQuerySchema, answer: handoverSchema, shape: 'Handover' },
  timeline: { parameters: timelineQuerySchema, answer: sessionTimelineSchema, shape: 'SessionTimeline' },
} satisfies Record<string, { parameters: z.ZodObject; answer: z.ZodType | null; shape?: string }>

/** The name of a question, which is its address. */
export type SessionQuestion = keyof typeof SESSION_QUESTIONS

/** What a question is asked with, after defaults. */
export type SessionParameters<Q extends SessionQuestion> = z.output<
  (typeof SESSION_QUESTIONS)[Q]['parameters']
>

/** What comes back as JSON; `null` where it is bytes, or the text of one message. */
export type SessionAnswer<Q extends SessionQuestion> =
  (typeof SESSION_QUESTIONS)[Q]['answer'] extends infer Schema
    ? Schema extends z.ZodType
      ? z.output<Schema>
      : null
    : never

/** All names, in the order of the table. */
export const sessionQuestions = Object.keys(SESSION_QUESTIONS) as SessionQuestion[]
