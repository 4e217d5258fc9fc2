import { toolLabel } from '@gemini-dash/api/tool-label'
import type {
  IndexTree,
  QueryTree,
  SessionFilter,
  SessionsLeaf,
  ToolFilter,
  ToolsLeaf,
} from '@gemini-dash/session-index'
import { findProjects } from '../projects/find-projects.ts'
import { matchNames, type Named } from './match-names.ts'
import { type SearchScope, sessionKeysWhere } from './search-scope.ts'

/** The tree as the index takes it: filters of sessions and tools become those that they mean. */
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
      return stateOf(tree.what, scope)
    case 'tool':
      return toolsOf(tree, scope)
    default:
      return tree
  }
}

type StateFilter = Extract<QueryTree, { kind: 'is' }>

/** What `is:` asks for. */
export function stateOf(what: StateFilter['what'], scope: SearchScope): IndexTree {
  if (what === 'superseded') return { kind: 'is', what }
  return what === 'error' ? failed(scope) : sessionsOf({ kind: 'is', what }, scope)
}

/** A prompt may still be answered where its session is being written: only then its silence is no failure. */
function failed(scope: SearchScope): IndexTree {
  const stillWritten: IndexTree = { kind: 'not', of: sessionsOf({ kind: 'is', what: 'live' }, scope) }
  const unanswered: IndexTree = { kind: 'and', of: [{ kind: 'unanswered' }, stillWritten] }
  return { kind: 'or', of: [{ kind: 'is', what: 'error' }, unanswered] }
}

/** The tools that a filter of tools means. */
export function toolsOf({ pattern }: ToolFilter, { sessions }: SearchScope): ToolsLeaf {
  const names = new Set([...sessions.values()].flatMap(({ record }) => record.tools.map(({ name }) => name)))
  const known = [...names].map((name) => ({ name, label: toolLabel(name) }))
  return { kind: 'tools', names: [...matchNames(pattern, known)] }
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
      const models = matchNames(filter.pattern, modelsIn(scope))
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

function modelsIn({ sessions }: SearchScope): Named[] {
  const names = [...sessions.values()].flatMap(({ summary }) => summary.models?.map(({ name }) => name) ?? [])
  return [...new Set(names)].map((name) => ({ name }))
}
