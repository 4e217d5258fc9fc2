import type { SessionQuery } from '@gemini-dash/api'
import { toolLabel } from '@gemini-dash/api/tool-label'
import {
  foldTextOnly,
  type IndexTree,
  type QueryTree,
  type ResolvedQuery,
  type SessionFilter,
  type SessionsLeaf,
  type ToolsLeaf,
  wildcardPattern,
} from '@gemini-dash/session-index'
import { hasStar } from '../list.ts'
import { findProjects } from '../projects.ts'
import type { LinkedSession } from '../sync/rows.ts'
import { type Parameter, type ParsedSearch, type SearchScope, sessionKeysWhere } from './search-scope.ts'

/** Rows that a search excludes, by session or by the tools called there. */
export type LeftOutRows = readonly (SessionsLeaf | ToolsLeaf)[]

const NOTHING: LeftOutRows = []

type Holds = Parameters<typeof sessionKeysWhere>[1]

/** A query ready for the index: all names are resolved. */
interface ResolvedSearch {
  query: ResolvedQuery
  /** The same tree, each time without one of the filters beside the query. */
  treesWithout: ReadonlyMap<Parameter, IndexTree | null>
}

/**
 * Resolves what a person refers to by name: names of projects, tools and models, ids and states of sessions become keys and names that the
 * index knows. Each filter is looked up once, however many variants of a search contain it.
 */
export class SearchResolver {
  readonly #scope: SearchScope
  readonly #known = new Map<string, IndexTree>()

  constructor(scope: SearchScope) {
    this.#scope = scope
  }

  /** @param without rows in which no hit may be */
  resolve({ mode, written, beside }: ParsedSearch, without: LeftOutRows = NOTHING): ResolvedSearch {
    const asked = written.tree === null ? [] : [this.#tree(written.tree)]
    if (asked.length > 0 || mode !== 'words')
      asked.push(...without.map((tree) => ({ kind: 'not' as const, of: tree })))
    const filters = [...beside].map(([name, tree]) => [name, this.#tree(tree)] as const)
    // An empty query finds nothing, whatever filters accompany it.
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
        return { kind: 'and', of: onOneCall(tree.of.map((part) => this.#tree(part))) }
      case 'or':
        return { kind: 'or', of: tree.of.map((part) => this.#tree(part)) }
      case 'not':
        return { kind: 'not', of: this.#tree(tree.of) }
      case 'project':
      case 'model':
      case 'session':
      case 'source':
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

  /** An unanswered prompt is not a failure while its session is still being written. */
  #failed(): IndexTree {
    const stillWritten: IndexTree = { kind: 'not', of: this.#tree({ kind: 'is', what: 'live' }) }
    const unanswered: IndexTree = { kind: 'and', of: [{ kind: 'unanswered' }, stillWritten] }
    return { kind: 'or', of: [{ kind: 'is', what: 'error' }, unanswered] }
  }

  #tools(pattern: string): IndexTree {
    return { kind: 'tools', names: [...meantTools(pattern, this.#scope.sessions.values())] }
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
      case 'source':
        return ({ source }) => source === filter.program
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

/** On one level: `in:` applies only to a pattern next to it. */
function allOf(trees: IndexTree[]): IndexTree | null {
  const all = trees.flatMap((tree) => (tree.kind === 'and' ? tree.of : [tree]))
  return all.length === 0 ? null : { kind: 'and', of: onOneCall(all) }
}

/** A tool next to `is:error` means a failed call of that tool, not one that accompanies a failed call of another tool. */
function onOneCall(trees: IndexTree[]): IndexTree[] {
  const isOfTools = (tree: IndexTree): boolean =>
    tree.kind === 'tools' || (tree.kind === 'or' && tree.of.every(isOfTools))
  // with several tools it is ambiguous whose call failed
  if (!trees.some(isFailure) || trees.filter(isOfTools).length !== 1) return trees
  return trees.map((tree) => (isOfTools(tree) ? failedOnly(tree) : tree))
}

/** Matches the form in which `is:error` is resolved. */
function isFailure(tree: IndexTree): boolean {
  return tree.kind === 'or' && tree.of.some((part) => part.kind === 'is' && part.what === 'error')
}

function failedOnly(tree: IndexTree): IndexTree {
  if (tree.kind === 'or') return { kind: 'or', of: tree.of.map(failedOnly) }
  return tree.kind === 'tools' ? { ...tree, isFailed: true } : tree
}

function modelsIn({ sessions }: SearchScope): { name: string }[] {
  const names = [...sessions.values()].flatMap(({ summary }) => summary.models?.map(({ name }) => name) ?? [])
  return [...new Set(names)].map((name) => ({ name }))
}

/** A name, and its display name if that differs. */
interface Named {
  name: string
  label?: string
}

/**
 * The names that the typed text refers to: the exact match, else matches that differ only in case and accents, else matches of the display
 * name. If there are none, `*` is anything, `?` one character, and a text without either matches a part of the name.
 */
export function matchNames(typed: string, known: readonly Named[]): ReadonlySet<string> {
  const text = foldTextOnly(typed)
  const squeezed = squeeze(text)
  const fits = matcherOf(text)
  const kinds: ((named: Named) => boolean)[] = [
    ({ name }) => name === typed,
    ({ name }) => foldTextOnly(name) === text,
    ({ label }) => label !== undefined && squeezed !== '' && squeeze(foldTextOnly(label)) === squeezed,
    ({ name, label }) => fits(foldTextOnly(name)) || (label !== undefined && fits(foldTextOnly(label))),
  ]
  for (const isMeant of kinds) {
    const found = known.filter(isMeant)
    if (found.length > 0) return new Set(found.map(({ name }) => name))
  }
  return new Set()
}

function matcherOf(text: string): (name: string) => boolean {
  return /[*?]/.test(text) ? wildcardPattern(text) : (name) => text !== '' && name.includes(text)
}

/** `Read file`, `read-file` and `ReadFile` are equal. */
function squeeze(text: string): string {
  return text.replace(/[\s_-]+/g, '')
}

type Known = Iterable<Pick<LinkedSession, 'summary' | 'record'>>

/** The tools that the text refers to, of all that were ever called: by name, or by display name. */
function meantTools(typed: string, sessions: Known): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { record } of sessions) for (const { name } of record.tools) names.add(name)
  return matchNames(
    typed,
    [...names].map((name) => ({ name, label: toolLabel(name) })),
  )
}

/**
 * Keys of the sessions that called a tool, or whose prompts have attachments or not: what a sub-agent did counts for all its ancestors.
 * null: neither filter is set.
 */
export function sessionsUsing(
  sessions: readonly Pick<LinkedSession, 'summary' | 'record'>[],
  { tool, attachments }: Pick<SessionQuery, 'tool' | 'attachments'>,
): ReadonlySet<string> | null {
  if (tool === undefined && attachments === undefined) return null
  const tools = tool === undefined ? null : meantTools(tool, sessions)
  const parents = new Map(sessions.map(({ summary: { key, parentKey } }) => [key, parentKey]))
  const callers = new Set<string>()
  for (const { summary, record } of sessions) {
    if (tools !== null && !record.tools.some(({ name }) => tools.has(name))) continue
    for (
      let key: string | null = summary.key;
      key !== null && !callers.has(key);
      key = parents.get(key) ?? null
    )
      callers.add(key)
  }
  const isMeant = ({ record }: Pick<LinkedSession, 'record'>) =>
    attachments === undefined || record.attachments > 0 === (attachments === 'true')
  return new Set(
    sessions
      .filter((each) => callers.has(each.summary.key) && isMeant(each))
      .map(({ summary }) => summary.key),
  )
}
