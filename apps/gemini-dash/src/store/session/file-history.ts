import type { FileHistory, FileHistoryEntry, FileHistoryQuery } from '@gemini-dash/api'
import type { IndexSearchRequest, IndexSearchResult, IndexTree } from '@gemini-dash/session-index'
import { resolveTouchedPath, touchedPathName } from 'gemini-sessions'
import type { TouchingMessage } from '../reader/answers/touching-messages.ts'
import { readSearchCursor } from '../search/search-cursor.ts'
import { type SearchScope, sessionKeysWhere } from '../search/search-scope.ts'

interface Sources {
  search: (request: IndexSearchRequest) => Promise<IndexSearchResult>
  /** The calls of these messages of one session that touched the file. */
  read: (sessionKey: string, path: string, messageKeys: string[]) => Promise<TouchingMessage[]>
}

const CHANGING_TOOLS = ['replace', 'write_file']

/**
 * What all sessions did to one file. The index tells which messages, so that only those of the wanted page are read. A
 * session of another project names the file in full; one of its own may name it relative to the root.
 */
export async function fileHistory(
  query: FileHistoryQuery,
  scope: SearchScope,
  { search, read }: Sources,
): Promise<FileHistory> {
  const project = scope.projects.find(({ key, name }) => key === query.project || name === query.project)
  const root = project?.path ?? null
  const path = resolveTouchedPath(query.path, root)
  const { offset } = readSearchCursor(query.cursor)
  const found = await search({
    mode: 'words',
    tree: treeOf(path, root, project?.key, query, scope),
    pattern: '',
    sort: 'recent',
    limit: query.limit,
    offset,
  })
  const keysBySession = new Map<string, string[]>()
  for (const { sessionKey, messageKey } of found.hits) {
    if (messageKey === null) continue
    keysBySession.set(sessionKey, [...(keysBySession.get(sessionKey) ?? []), messageKey])
  }
  const entries = await Promise.all(
    [...keysBySession].map(async ([sessionKey, messageKeys]): Promise<FileHistoryEntry[]> => {
      const summary = scope.sessions.get(sessionKey)?.summary
      if (summary === undefined) return []
      const { key, title, kind, project } = summary
      const messages = await read(sessionKey, path, messageKeys)
      return messages.map((message) => ({ session: { key, title, kind, project }, ...message }))
    }),
  )
  const end = offset + found.hits.length
  return {
    path,
    name: touchedPathName(path, root),
    project: project === undefined ? null : { key: project.key, name: project.name, path: root },
    entries: entries
      .flat()
      .map((entry) => ({ ...entry, calls: entry.calls.filter((call) => isShown(call.action, query.show)) }))
      .filter(({ calls }) => calls.length > 0)
      .sort((a, b) => (Date.parse(b.timestamp ?? '') || 0) - (Date.parse(a.timestamp ?? '') || 0)),
    total: found.messageTotal,
    sessionTotal: found.sessionTotal,
    coverage: scope.coverage,
    nextCursor: end < found.total && found.hits.length > 0 ? String(end) : null,
  }
}

function treeOf(
  path: string,
  root: string | null,
  projectKey: string | undefined,
  query: FileHistoryQuery,
  scope: SearchScope,
): IndexTree {
  const inProject: IndexTree = {
    kind: 'and',
    of: [
      { kind: 'sessions', keys: sessionKeysWhere(scope, ({ project }) => project.key === projectKey) },
      { kind: 'one-file', path, root },
    ],
  }
  const anywhere: IndexTree = { kind: 'one-file', path, root: null }
  const isAbsolute = /^(?:\/|[A-Za-z]:\/)/.test(path)
  const touched: IndexTree = isAbsolute ? { kind: 'or', of: [anywhere, inProject] } : inProject
  const changes: IndexTree = {
    kind: 'or',
    of: [
      { kind: 'tools', names: CHANGING_TOOLS },
      { kind: 'has', what: 'diff' },
    ],
  }
  if (query.show === 'changes') return { kind: 'and', of: [touched, changes] }
  return touched
}

function isShown(action: string, show: FileHistoryQuery['show']): boolean {
  if (show === 'all') return true
  const isChange = action === 'wrote' || action === 'edited'
  return show === 'changes' ? isChange : !isChange
}
