import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { StandInStep } from './stand-in.ts'

/** After these characters a value is expected, so a following record is parsed as that value. */
const READS_ON = /[:,[{\s]$/

/** What the stand-in has written so far, byte by byte, without reading the disk. */
export class PredictedHome {
  readonly files = new Map<string, Buffer>()

  add({ operations, torn }: StandInStep): void {
    for (const [place, operation] of operations.entries()) {
      const isTorn = torn?.operation === place
      if (operation.kind === 'remove') this.files.delete(operation.path)
      else if (operation.kind === 'copy') this.#copy(operation.from, operation.to)
      else {
        const whole = Buffer.from(operation.text)
        const bytes = isTorn ? whole.subarray(0, cutAt(whole, torn.share)) : whole
        this.#write(operation.kind, operation.path, bytes, isTorn)
      }
      if (isTorn) return
    }
  }

  /** Message ids by session from complete records on disk: answers must include all of them. */
  recorded(): Map<string, Set<string>> {
    const bySession = new Map<string, Set<string>>()
    for (const [path, bytes] of this.files) {
      if (!path.includes('/chats/') || !/\.jsonl?$/.test(path)) continue
      const records = (path.endsWith('l') ? readLog : readDocument)(bytes.toString())
      const sessionId = records.find(isMetadata)?.sessionId
      if (sessionId === undefined) continue
      const ids = bySession.get(sessionId) ?? new Set()
      for (const id of records.flatMap(messageIds)) ids.add(id)
      bySession.set(sessionId, ids)
    }
    return bySession
  }

  /** A sentence for each file that differs from what the stand-in wrote. */
  differencesFrom(home: string): string[] {
    return [...this.files].flatMap(([path, bytes]) => {
      const onDisk = statSync(join(home, path), { throwIfNoEntry: false })
      if (onDisk === undefined) return [`${path} is gone, and nobody deleted it`]
      return readFileSync(join(home, path)).equals(bytes) ? [] : [`${path} is not what was written to it`]
    })
  }

  #copy(from: string, to: string): void {
    const bytes = this.files.get(from)
    if (bytes !== undefined) this.files.set(to, bytes)
  }

  #write(kind: 'append' | 'write' | 'replace', path: string, bytes: Buffer, isTorn: boolean): void {
    if (kind === 'append') this.files.set(path, Buffer.concat([this.files.get(path) ?? Buffer.of(), bytes]))
    else if (kind === 'write') this.files.set(path, bytes)
    else if (isTorn) this.files.set(`${path}.tmp-4711`, bytes)
    else {
      this.files.set(path, bytes)
      this.files.delete(`${path}.tmp-4711`)
    }
  }
}

/** Number of bytes written before the process dies. */
export function cutAt(whole: Buffer, share: number): number {
  return Math.floor(whole.length * share)
}

interface KnownRecord {
  id?: string
  type?: string
  sessionId?: string
  messages?: KnownRecord[]
  $set?: { messages?: KnownRecord[] }
}

function readLog(text: string): KnownRecord[] {
  return text.split('\n').flatMap((line) => {
    const whole = parse(line)
    if (whole.length > 0) return whole
    // A complete record after a torn one.
    for (let at = line.indexOf('{"id":', 1); at > 0; at = line.indexOf('{"id":', at + 1)) {
      const glued = READS_ON.test(line.slice(0, at)) ? [] : parse(line.slice(at))
      if (glued.length > 0) return glued
    }
    return []
  })
}

function readDocument(text: string): KnownRecord[] {
  return parse(text)
}

function parse(text: string): KnownRecord[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

function isMetadata(record: KnownRecord): boolean {
  return record.sessionId !== undefined
}

function messageIds({ id, type, messages, $set }: KnownRecord): string[] {
  if (id !== undefined && type !== undefined) return [id]
  return (messages ?? $set?.messages ?? []).flatMap((row) => row.id ?? [])
}
