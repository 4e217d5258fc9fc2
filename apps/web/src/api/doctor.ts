import type { Doctor, DoctorNotes } from '@gemini-dash/api'
import { apiPaths } from '@gemini-dash/api/paths'
import { queryOptions } from '@tanstack/react-query'
import { fetchJson } from './request/fetch-json.ts'

/** What could not be read, and what the CLI is about to delete. */
export function doctorQuery() {
  return queryOptions({
    queryKey: ['doctor'],
    queryFn: ({ signal }) => fetchJson<Doctor>(apiPaths.doctor(), signal),
  })
}

/** Of the doctor what stands beside a list. */
export function doctorNotesQuery() {
  return queryOptions({
    queryKey: ['doctor', 'notes'],
    queryFn: ({ signal }) => fetchJson<DoctorNotes>(apiPaths.doctorNotes(), signal),
  })
}
