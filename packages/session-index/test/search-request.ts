import type { IndexSearchRequest } from '../src/index-search.ts'

export function searchRequest(text: string, given: Partial<IndexSearchRequest> = {}): IndexSearchRequest {
  return {
    text,
    mode: 'words',
    sort: 'recent',
    fields: null,
    sessionKeys: null,
    from: null,
    to: null,
    limit: 50,
    offset: 0,
    ...given,
  }
}
