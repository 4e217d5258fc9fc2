import { toolLabel } from '@gemini-dash/api/tool-label'
import {
  foldTextOnly,
  type IndexTree,
  type QueryTree,
  type ResolvedQuery,
  type SessionFilter,
} from '@gemini-dash/session-index'
import { hasStar } from '../list/list-sessions.ts'
import { findProjects } from '../projects/find-projects.ts'
import { matchNames } from './match-names.ts'
import type { Parameter, ParsedSearch } from './parse-search.ts'
import { type SearchScope, sessionKeysWhere } from './search-scope.ts'

type Holds = Parameters<typeof sessionKeysWhere>[1]

/** What was asked, ready for the index: nothing in it is left for anybody to look up. */
export interface ResolvedSearch {
  query: ResolvedQuery
  /** The same tree without one of the filters beside the query. */
  treesWithout: ReadonlyMap<Parameter, IndexTree | null>
}

/**
 * Puts in place what a person only names: names of projects, tools and models, ids and states of sessions become keys and
 * names that the index knows. Each filter is looked up once, in however many variants of one search it stands.
 */
export class SearchResolver {
  readonly #scope: SearchScope
  readonly #known = new Map<string, IndexTree>()

  constructor(scope: SearchScope) {
    this.#scope = scope
  }

  resolve({ mode, written, beside }: ParsedSearch): ResolvedSearch {
    const asked = written.tree === null ? [] : [this.#tree(written.tree)]
    const filters = [...beside].map(([name, tree]) => [name, this.#tree(tree)] as const)
    // A query of nothing finds nothing, whatever stands beside it.
    const isEmpty = mode === 'words' && asked.length === 0
    const joined = (trees: IndexTree[]) => (isEmpty ? null : allOf([...asked, ...trees]))
    const treeWithout = (without: Parameter | null) =>
      joined(filters.filter(([name]) => name !== without).map(([, tree]) => tree))
    return {
      query: { mode, tree: treeWithout(null), pattern: written.text },
      treesWithout: new Map(filters.map(([name]) => [name, treeWithout(name)])),
    }
  }

  #tree(tree: QueryTree): IndexTree {
    switch (tree.kind) {
      case 'and':
      case 'or':
        return { kind: tree.kind, of: tree.of.map((part) => this.#tree(part)) }
      case 'not':
        return { kind: 'not', of: this.#tree(tree.of) }
      case 'project':
      case 'model':
      case 'session':
      case 'tag':
      case 'note':
        return this.#once(tree, () => this.#sessions(tree))
      case 'is': {
        const { what } = tree
        if (what === 'superseded') return { kind: 'is', what }
        if (what === 'error') return this.#failed()
        return this.#once(tree, () => this.#sessions({ kind: 'is', what }))
      }
      case 'tool':
        return this.#once(tree, () => this.#tools(tree.pattern))
      default:
        return tree
    }
  }

  #once(filter: QueryTree, look: () => IndexTree): IndexTree {
    const id = JSON.stringify(filter)
    const found = this.#known.get(id) ?? look()
    this.#known.set(id, found)
    return found
  }

  /** A prompt may still be answered where its session is being written: only then its silence is no failure. */
  #failed(): IndexTree {
    const stillWritten: IndexTree = { kind: 'not', of: this.#tree({ kind: 'is', what: 'live' }) }
    const unanswered: IndexTree = { kind: 'and', of: [{ kind: 'unanswered' }, stillWritten] }
    return { kind: 'or', of: [{ kind: 'is', what: 'error' }, unanswered] }
  }

  #tools(pattern: string): IndexTree {
    const sessions = [...this.#scope.sessions.values()]
    const names = new Set(sessions.flatMap(({ record }) => record.tools.map(({ name }) => name)))
    const known = [...names].map((name) => ({ name, label: toolLabel(name) }))
    return { kind: 'tools', names: [...matchNames(pattern, known)] }
  }

  #sessions(filter: SessionFilter): IndexTree {
    return { kind: 'sessions', keys: sessionKeysWhere(this.#scope, this.#isMeant(filter)) }
  }

  #isState(what: Extract<SessionFilter, { kind: 'is' }>['what']): Holds {
    if (what === 'live') return (_, session) => this.#scope.isLive(session)
    return what === 'starred' ? ({ mark }) => hasStar(mark) : ({ kind }) => kind === 'subagent'
  }

  #isMeant(filter: SessionFilter): Holds {
    switch (filter.kind) {
      case 'project': {
        const projects = findProjects(this.#scope.projects, filter.name)
        return ({ project }) => projects.has(project.key)
      }
      case 'model': {
        const models = matchNames(filter.pattern, modelsIn(this.#scope))
        return (summary) => summary.models?.some(({ name }) => models.has(name)) === true
      }
      case 'session': {
        const prefix = filter.idPrefix.toLowerCase()
        const begins = (id: string) => id.startsWith(filter.idPrefix) || id.toLowerCase().startsWith(prefix)
        return ({ key, sessionId }, { ownKeys }) =>
          begins(sessionId) || [key, ...ownKeys].includes(filter.idPrefix)
      }
      case 'tag': {
        const tags = [...this.#scope.sessions.values()].flatMap(({ summary }) => summary.mark?.tags ?? [])
        const meant = matchNames(
          filter.name,
          [...new Set(tags)].map((name) => ({ name })),
        )
        return ({ mark }) => mark?.tags.some((tag) => meant.has(tag)) === true
      }
      case 'note': {
        const text = foldTextOnly(filter.text)
        return ({ mark }, session) =>
          mark !== null && this.#scope.notesOf(session).some((note) => foldTextOnly(note).includes(text))
      }
      case 'is':
        return this.#isState(filter.what)
    }
  }
}

/** On one level: `in:` says where a pattern is looked for only beside which it stands. */
function allOf(trees: IndexTree[]): IndexTree | null {
  const all = trees.flatMap((tree) => (tree.kind === 'and' ? tree.of : [tree]))
  return all.length === 0 ? null : { kind: 'and', of: all }
}

function modelsIn({ sessions }: SearchScope): { name: string }[] {
  const names = [...sessions.values()].flatMap(({ summary }) => summary.models?.map(({ name }) => name) ?? [])
  return [...new Set(names)].map((name) => ({ name }))
}
