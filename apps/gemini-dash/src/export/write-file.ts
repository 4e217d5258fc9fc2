import { randomUUID } from 'node:crypto'
import { link, lstat, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CliError } from '../terminal/cli-error.ts'

export interface WriteOptions {
  /** Whether an existing file may be replaced. */
  isForced: boolean
  signal: AbortSignal
}

/**
 * Writes a file completely or not at all: under a temporary name in the same folder, renamed at the end. Returns its size in bytes.
 *
 * @throws CliError if it cannot be written, and the signal's reason when aborted; nothing is left behind
 */
export async function writeFileWhole(
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
  { isForced, signal }: WriteOptions,
): Promise<number> {
  const file = await writeBeside(path, pieces, signal)
  await file.moveTo(path, isForced)
  return file.sizeBytes
}

/** A file that is written, but not yet in its place. */
export interface FileBeside {
  sizeBytes: number
  /** @throws CliError if it cannot be moved; nothing is left behind */
  moveTo: (path: string, isForced: boolean) => Promise<void>
  discard: () => Promise<void>
}

/**
 * Writes the file for this path under a temporary name in the same folder.
 *
 * @throws CliError if it cannot be written, and the signal's reason when aborted; nothing is left behind
 */
export async function writeBeside(
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<FileBeside> {
  const unfinished = join(dirname(path), `.${basename(path).slice(0, 40)}.${randomUUID().slice(0, 8)}.part`)
  const discard = () => rm(unfinished, { force: true }).catch(() => {})
  let sizeBytes = 0
  try {
    const file = await open(unfinished, 'wx', 0o666)
    try {
      for await (const piece of pieces) {
        signal.throwIfAborted()
        const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
        for (let done = 0; done < bytes.length; ) {
          done += (await file.write(bytes, done)).bytesWritten
        }
        sizeBytes += bytes.length
      }
      signal.throwIfAborted()
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    await discard()
    throw writeFailure(error, path)
  }
  return {
    sizeBytes,
    discard,
    moveTo: async (target, isForced) => {
      try {
        await moveTo(unfinished, target, isForced)
      } catch (error) {
        await discard()
        throw writeFailure(error, target)
      }
    },
  }
}

/** @throws if something exists there and may not be replaced; a folder never may */
export async function refuseExisting(path: string, isForced: boolean): Promise<void> {
  const there = await lstat(path).catch(() => null)
  if (there === null) return
  if (there.isDirectory()) throw new CliError(1, `${path} is a folder.`, 'Use a file name or another folder.')
  if (!isForced) throw exists(path)
}

/** Creating a link fails if the path exists, so a file that appeared meanwhile stays. Where the disk has no links, check once more. */
async function moveTo(unfinished: string, path: string, isForced: boolean): Promise<void> {
  if (isForced) return rename(unfinished, path)
  try {
    await link(unfinished, path)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw exists(path)
    await refuseExisting(path, false)
    return rename(unfinished, path)
  }
  await rm(unfinished)
}

function exists(path: string): CliError {
  return new CliError(
    1,
    `${path} already exists.`,
    'Choose another one with --out, or replace it with --force.',
  )
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EFBIG: 'the file is too large for this system',
  EDQUOT: 'the disk quota of this user is used up',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'the disk is read-only',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'part of its path is not a folder',
  ENAMETOOLONG: 'its name is too long',
}

export function writeFailure(error: unknown, path: string): unknown {
  const reason = REASONS[codeOf(error)]
  if (reason === undefined) return error
  return new CliError(
    1,
    `${path} could not be written: ${reason} (${codeOf(error)}).`,
    'No partial file was left.',
  )
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
