import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Archive,
  ArchiveWriter,
  forgetFiles,
  type KeptFile,
  readVersion,
  takeFile,
  UnknownCodec,
} from '@gemini-dash/archive'
import { readSessionPath } from 'gemini-sessions'
import type { GeminiHome } from 'gemini-sessions/node'
import { z } from 'zod'
import type { ForgottenBook } from '../own-data/forgotten.ts'
import type { KeepSource } from './find-sources.ts'
import { isMissing } from './gone/bring-out.ts'
import { originalPath } from './gone/gone-list.ts'

/** What is to be forgotten, and never kept again. */
export interface ForgetRequest {
  /** Session ids that no other session has. */
  sessionIds: string[]
  /** Files of sessions and beside them, as their homes call them. */
  files: { home: string; path: string }[]
}

/** Erases what an archive holds of these; the caller has it for itself. Answers how many files that were. */
export async function forgetKept(
  archive: Archive,
  home: GeminiHome,
  { sessionIds, files }: ForgetRequest,
): Promise<number> {
  // first what a process began that was killed: what it left of a log is kept after the log is erased
  await forgetFiles(archive, [])
  archive.refresh()
  await keepRests(archive)
  const paths = new Set(files.flatMap(({ home: of, path }) => (of === home.path ? [originalPath(path)] : [])))
  const folders = new Set([...paths].map(projectOf))
  const found: KeptFile[] = []
  for (const file of archive.manifest.files()) {
    const isOwn = paths.has(file.path) || idsOf(file).some((id) => sessionIds.includes(id))
    if (isOwn || (folders.has(projectOf(file.path)) && (await namesAny(archive, file, sessionIds))))
      found.push(file)
  }
  writeRests(archive, await restsOfLogs(archive, home, found, sessionIds))
  await forgetFiles(
    archive,
    found.map(({ id }) => id),
  )
  archive.refresh()
  await keepRests(archive)
  archive.saveIndex(0)
  return found.length
}

/** By which things are met again. */
export function namesOfForgotten({ sessionIds, files }: ForgetRequest): string[] {
  return [
    ...sessionIds.map((id) => `id\n${id}`),
    ...files.map(({ home, path }) => `path\n${home}\n${originalPath(path)}`),
  ]
}

/** Whether this was forgotten, or holds something of a session that was. */
export function isForgotten(book: ForgottenBook, home: GeminiHome, source: KeepSource): boolean {
  if (book.isEmpty) return false
  const { path, label, folder, place } = source
  const ids = [...idsOf({ path, label }), ...idsInside(label.kind ?? '', join(folder, place))]
  return book.has(`path\n${home.path}\n${path}`) || ids.some((id) => book.has(`id\n${id}`))
}

function projectOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}

function idsOf({ path, label }: Pick<KeptFile, 'path' | 'label'>): string[] {
  return [label.sessionId ?? null, readSessionPath(path).parentId].flatMap((id) => id ?? [])
}

/** Prompt logs and restore points are of sessions that only their content names. */
function idsInside(kind: string, path: string): string[] {
  if (kind !== 'prompts' && kind !== 'restore-point') return []
  try {
    const text = readFileSync(path, 'utf8')
    return [...text.matchAll(/"(?:sessionId|messageId)":\s*"([^"#]+)/g)].map(([, id = '']) => id)
  } catch {
    return []
  }
}

/** Logs of other sessions are their own, whatever they name. */
async function namesAny(archive: Archive, file: KeptFile, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0 || ['session', 'subagent', 'project'].includes(file.label.kind ?? '')) return false
  for (const version of file.versions) {
    const text = await textOf(archive, version)
    if (text === null || ids.some((id) => text.includes(id))) return true
  }
  return false
}

/** null: it is damaged. Nobody knows what was in it. @throws `UnknownCodec` where a newer Node does */
async function textOf(archive: Archive, version: KeptFile['versions'][number]): Promise<string | null> {
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of readVersion(archive, version)) pieces.push(piece)
  } catch (error) {
    if (error instanceof UnknownCodec) throw error
    return null
  }
  return Buffer.concat(pieces).toString()
}

const restOfLogSchema = z.object({
  path: z.string(),
  label: z.record(z.string(), z.string().nullable()),
  lastSeen: z.string(),
  text: z.string(),
})
type RestOfLog = z.infer<typeof restOfLogSchema>

/** A prompt log is of all sessions of a project: where it is gone, what others typed stays. */
async function restsOfLogs(
  archive: Archive,
  home: GeminiHome,
  files: readonly KeptFile[],
  ids: readonly string[],
): Promise<RestOfLog[]> {
  const rests: RestOfLog[] = []
  for (const file of files) {
    if (file.label.kind !== 'prompts' || !isMissing(`${home.path}/${file.path}`)) continue
    // what it lost earlier, too
    const rows = new Map<string, unknown>()
    for (const version of file.versions)
      for (const row of parseRows((await textOf(archive, version)) ?? '')) rows.set(JSON.stringify(row), row)
    const left = [...rows.values()].filter((row) => !ids.includes(sessionIdOf(row)))
    const { path, label, lastSeen } = file
    if (left.length > 0) rests.push({ path, label, lastSeen, text: JSON.stringify(left) })
  }
  return rests
}

function parseRows(text: string): unknown[] {
  try {
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) ? rows : []
  } catch {
    return []
  }
}

function sessionIdOf(row: unknown): string {
  return row !== null && typeof row === 'object' && 'sessionId' in row ? String(row.sessionId) : ''
}

/** On disk before the logs are erased, so that whoever goes on with it keeps them. */
const RESTS = 'rests.json'

function writeRests({ folder }: Archive, rests: readonly RestOfLog[]): void {
  if (rests.length === 0) return
  const path = join(folder, RESTS)
  writeFileSync(`${path}.new`, JSON.stringify(rests), { mode: 0o600, flush: true })
  renameSync(`${path}.new`, path)
}

async function keepRests(archive: Archive): Promise<void> {
  const path = join(archive.folder, RESTS)
  if (!existsSync(path)) return
  for (const rest of z.array(restOfLogSchema).parse(parseRows(readFileSync(path, 'utf8'))))
    await keepRest(archive, rest)
  rmSync(path)
}

async function keepRest(archive: Archive, { path, label, lastSeen, text }: RestOfLog): Promise<void> {
  const place = join(archive.folder, 'rest')
  writeFileSync(place, text, { mode: 0o600 })
  const writer = new ArchiveWriter(archive, { maxBytes: Number.POSITIVE_INFINITY, nowMs: Date.now() })
  const descriptor = openSync(place, 'r')
  try {
    const file = writer.file(path, label)
    const note = await takeFile(writer, { descriptor, isLog: false }, { file, isCertain: false }, lastSeen)
    if (note !== null) await writer.note(note)
    await writer.commit()
  } finally {
    closeSync(descriptor)
    rmSync(place, { force: true })
    await writer.close(Date.now())
  }
}
