import type { IndexSearchRequest, TextSearchRequest } from '../src/index-search.ts'
import { toTreeRequest } from '../src/query/to-tree-request.ts'

/** The request for a text, or with `tree` for that tree. */
export function searchRequest(
  text: string,
  { tree, ...given }: Partial<TextSearchRequest & IndexSearchRequest> = {},
): IndexSearchRequest {
  const { request } = toTreeRequest({
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
  })
  return tree === undefined ? request : { ...request, tree }
}
