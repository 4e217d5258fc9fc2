import type { Worker } from 'node:worker_threads'
import { Heartbeat, workOfHeartbeat } from './heartbeat.ts'

/** Why there is no answer, although the question is valid. */
export type ReaderFaultCode = 'reader-stopped' | 'reader-timeout' | 'reader-unsendable' | 'unavailable'

const SENTENCES: Record<ReaderFaultCode, string> = {
  'reader-stopped':
    'The reader crashed on this session and was restarted. Try again. If it happens again, gemini-dash can’t handle the files of this session.',
  'reader-timeout': 'The reader stopped responding on this session and was restarted. Try again in a minute.',
  'reader-unsendable':
    'This session was read, but its content can’t be sent to the page. Other programs can still open its file.',
  unavailable: 'A file of this session kept changing while it was read. Try again in a moment.',
}

const TOO_FEW_FILES =
  'The reader stopped because too many files are open. Raise the limit of open files (ulimit -n) and try again.'

/** A question that the reader could not answer. Its message is for the user. */
export class ReaderFault extends Error {
  readonly code: ReaderFaultCode

  constructor(code: ReaderFaultCode, cause?: unknown) {
    super(/EMFILE|ENFILE/.test(String(cause)) ? TOO_FEW_FILES : SENTENCES[code], { cause })
    this.code = code
  }
}

const LOOK_MS = 1_000
/**
 * The longest work without a pause: redacting a text of 16 million characters, 13 seconds of CPU time. A busy machine takes several times as
 * long, so the thread must have used the CPU for as long as these looks take, too.
 */
const SILENT_LOOKS = 20
/** Times as many looks: it is given up even if it used no CPU, because it waits for something that never comes. */
const SILENT_WITHOUT_WORK = 4
/** It waits for something unknown: a disk that does not respond, or an answer that was lost. */
const IDLE_LOOKS = 30
/** Less CPU time than this per second is only the heartbeat. */
const IDLE_WORK_MS = 2
/** A file of 5 GB takes two minutes on a slow disk; a thread that works longer is in an endless loop. */
const LONGEST_LOOKS = 900

export type Limits = Record<'lookMs' | 'silentLooks' | 'idleLooks' | 'longestLooks', number>

const LIMITS: Limits = {
  lookMs: LOOK_MS,
  silentLooks: SILENT_LOOKS,
  idleLooks: IDLE_LOOKS,
  longestLooks: LONGEST_LOOKS,
}

/**
 * Distinguishes a hanging thread from a busy one. Counts looks, not time: a machine that slept, or a main thread that was busy itself, has
 * not looked.
 *
 * @returns a function that stops watching
 */
export function watchLife(
  worker: Worker,
  heartbeat: Int32Array,
  isAsked: () => boolean,
  onDead: () => void,
  { lookMs, silentLooks, idleLooks, longestLooks }: Limits = LIMITS,
): () => void {
  let beats = -1
  let used = worker.performance.eventLoopUtilization()
  let workedMs = 0
  const looks = { silent: 0, idle: 0, asked: 0 }
  const timer = setInterval(() => {
    const now = worker.performance.eventLoopUtilization()
    const workMs = now.active - used.active
    used = now
    const counted = Atomics.load(heartbeat, Heartbeat.beats)
    const isSilent = isAsked() && counted === beats
    if (!isSilent) workedMs = workOfHeartbeat(heartbeat)
    looks.silent = isSilent ? looks.silent + 1 : 0
    looks.idle = isAsked() && counted !== beats && workMs < IDLE_WORK_MS ? looks.idle + 1 : 0
    looks.asked = isAsked() ? looks.asked + 1 : 0
    beats = counted
    const hasWorked = () => workOfHeartbeat(heartbeat) - workedMs >= silentLooks * lookMs
    const isHanging =
      looks.silent >= SILENT_WITHOUT_WORK * silentLooks || (looks.silent >= silentLooks && hasWorked())
    if (isHanging || looks.idle >= idleLooks || looks.asked >= longestLooks) onDead()
  }, lookMs).unref()
  return () => clearInterval(timer)
}
