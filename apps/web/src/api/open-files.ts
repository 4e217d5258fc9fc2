import type { OpenedAdded, OpenedAddress } from '@gemini-dash/api'
import { apiPaths, MAX_SENT_BYTES } from '@gemini-dash/api/paths'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChosenFile } from '../lib/chosen-files.ts'
import { ApiRequestError, fetchJson } from './request.ts'

interface OpenedFiles {
  /** Where the readable files are shown; null if none could be read. */
  url: string | null
  opened: number
  /** One sentence for each file that was refused. */
  refused: string[]
}

/** The server's limit for names. */
const LONGEST_NAME = 255
/** Errors that concern one file. */
const REFUSALS: readonly string[] = ['bad-request', 'too-large']

/** Opens session files separately from the reader's own sessions, and navigates there if all of them could be opened. */
export function useOpenFiles() {
  const [done, setDone] = useState(0)
  const opening = useMutation({
    mutationFn: (chosen: readonly ChosenFile[]) => openFiles(chosen, setDone),
    onSuccess: ({ url, refused }) => {
      if (url !== null && refused.length === 0) window.location.assign(url)
    },
  })
  return { opening, done }
}

/** Sequential: the server combines them. */
async function openFiles(
  chosen: readonly ChosenFile[],
  onProgress: (done: number) => void,
): Promise<OpenedFiles> {
  const result: OpenedFiles = { url: null, opened: 0, refused: [] }
  let sentBytes = 0
  for (const [done, { name, file }] of chosen.entries()) {
    onProgress(done)
    const tooLarge = describeTooLarge(name, file.size, sentBytes)
    if (tooLarge !== null) {
      result.refused.push(tooLarge)
      continue
    }
    sentBytes += file.size
    try {
      result.url = await openFile(name, file)
      result.opened += 1
    } catch (error) {
      // any other failure is not about this file
      if (!(error instanceof ApiRequestError) || !REFUSALS.includes(error.code)) throw error
      result.refused.push(error.message)
    }
  }
  return result
}

function describeTooLarge(name: string, sizeBytes: number, sentBytes: number): string | null {
  const advice = 'Open it in a terminal: gemini-dash open PATH'
  if (sizeBytes > MAX_SENT_BYTES) return `${name} is larger than 64 MB. ${advice}`
  if (sizeBytes + sentBytes > MAX_SENT_BYTES)
    return `${name} was left out: all files together may have 64 MB. ${advice}`
  return null
}

async function openFile(name: string, file: File): Promise<string> {
  const path = apiPaths.openFile(name.slice(-LONGEST_NAME), file.lastModified)
  const { url } = await fetchJson<OpenedAddress>(path, undefined, { method: 'POST', body: new Blob([file]) })
  return url
}

/** Closes the view of opened files and returns to the page they were opened from. */
export function useCloseOpened() {
  return useMutation({
    mutationFn: () =>
      fetchJson<OpenedAddress>(apiPaths.opened(), undefined, { method: 'POST', body: { close: true } }),
    onSuccess: ({ url }) => window.location.assign(url),
  })
}

/** Copies everything that is opened to the archive. */
export function useAddOpened() {
  return useMutation({
    mutationFn: () =>
      fetchJson<OpenedAdded>(apiPaths.opened(), undefined, { method: 'POST', body: { add: true } }),
  })
}
