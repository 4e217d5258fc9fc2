import { appendFileSync, copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A disk operation of the CLI; paths are relative to the Gemini folder. */
export type DiskOperation =
  | { kind: 'append'; path: string; text: string }
  /** Truncate and write, as for documents up to 0.38. */
  | { kind: 'write'; path: string; text: string }
  /** Via a temporary file that is renamed, as 0.55 and later do when they reload a log. */
  | { kind: 'replace'; path: string; text: string }
  | { kind: 'copy'; from: string; to: string }
  | { kind: 'remove'; path: string }

/** With `cutAt`, only that many bytes of its text are written. */
export function carryOut(home: string, operation: DiskOperation, cutAt?: number): void {
  const path = join(home, operation.kind === 'copy' ? operation.to : operation.path)
  mkdirSync(dirname(path), { recursive: true })
  if (operation.kind === 'remove') rmSync(path, { force: true })
  else if (operation.kind === 'copy') copyFileSync(join(home, operation.from), path)
  else write(operation.kind, path, Buffer.from(operation.text).subarray(0, cutAt), cutAt !== undefined)
}

function write(kind: 'append' | 'write' | 'replace', path: string, bytes: Buffer, isCut: boolean): void {
  if (kind === 'append') appendFileSync(path, bytes)
  else if (kind === 'write') writeFileSync(path, bytes)
  else {
    writeFileSync(`${path}.tmp-4711`, bytes)
    if (!isCut) renameSync(`${path}.tmp-4711`, path)
  }
}
