import { toolsCalled } from '@gemini-dash/api/tool-label'
import type { IndexTree, QueryTree, RowFilter, SessionFilter, SessionsLeaf } from '@gemini-dash/session-index'
import { findProjects } from '../find-projects.ts'
import { foldText } from '../fold-text.ts'
import { type SearchScope, sessionKeysWhere } from './search-scope.ts'

type ToolFilter = Extract<RowFilter, { kind: 'tool' }>

/** The tree as the index takes it: filters of sessions become the sessions that they mean. */
export function toIndexTree(tree: QueryTree, scope: SearchScope): IndexTree {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return { kind: tree.kind, of: tree.of.map((part) => toIndexTree(part, scope)) }
    case 'not':
      return { kind: 'not', of: toIndexTree(tree.of, scope) }
    case 'project':
    case 'model':
    case 'session':
      return sessionsOf(tree, scope)
    case 'is':
      if (tree.what === 'live' || tree.what === 'subagent')
        return sessionsOf({ kind: 'is', what: tree.what }, scope)
      return { kind: 'is', what: tree.what }
    case 'tool':
      return toolsOf(tree, scope)
    default:
      return tree
  }
}

/** Tools may be called as they are on screen (`tool:shell`), unless one is really named so. */
function toolsOf(filter: ToolFilter, { sessions }: SearchScope): IndexTree {
  const names = toolsCalled(filter.pattern)
  const isName = (text: string) => text.toLowerCase() === filter.pattern.toLowerCase()
  if (
    names.length === 0 ||
    [...sessions.values()].some(({ record }) => record.tools.some(({ name }) => isName(name)))
  )
    return filter
  return { kind: 'or', of: names.map((pattern) => ({ kind: 'tool', pattern })) }
}

/** The sessions that a filter of sessions means. */
export function sessionsOf(filter: SessionFilter, scope: SearchScope): SessionsLeaf {
  return { kind: 'sessions', keys: sessionKeysOf(filter, scope) }
}

function sessionKeysOf(filter: SessionFilter, scope: SearchScope): string[] {
  switch (filter.kind) {
    case 'project': {
      const projects = findProjects(scope.projects, filter.name)
      return sessionKeysWhere(scope, ({ project }) => projects.has(project.key))
    }
    case 'model': {
      const models = findModels(scope, filter.pattern)
      return sessionKeysWhere(
        scope,
        (summary) => summary.models?.some(({ name }) => models.has(name)) === true,
      )
    }
    case 'session': {
      const prefix = filter.idPrefix.toLowerCase()
      const isMeant = (id: string) => id.startsWith(filter.idPrefix) || id.toLowerCase().startsWith(prefix)
      return sessionKeysWhere(
        scope,
        ({ key, sessionId }, { ownKeys }) =>
          isMeant(sessionId) || [key, ...ownKeys].includes(filter.idPrefix),
      )
    }
    case 'is':
      return filter.what === 'live'
        ? sessionKeysWhere(scope, (_, session) => scope.isLive(session))
        : sessionKeysWhere(scope, ({ kind }) => kind === 'subagent')
  }
}

/** The model of that name; without one, those whose name matches: `*` is anything, a part is enough. */
function findModels({ sessions }: SearchScope, pattern: string): ReadonlySet<string> {
  const names = new Set(
    [...sessions.values()].flatMap(({ summary }) => summary.models?.map(({ name }) => name) ?? []),
  )
  if (names.has(pattern)) return new Set([pattern])
  const parts = foldText(pattern).split('*').map(escapeForPattern)
  const isWhole = pattern.includes('*')
  const matcher = new RegExp(isWhole ? `^${parts.join('.*')}$` : parts.join(''), 'su')
  return new Set([...names].filter((name) => matcher.test(foldText(name))))
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
