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

/** Rows that a search does not look at, by sessions or by the tools that were called there. */
export type LeftOutRows = readonly (SessionsLeaf | ToolsLeaf)[]

const NOTHING: LeftOutRows = []

type Holds = Parameters<typeof sessionKeysWhere>[1]

/** What was asked, ready for the index: nothing in it is left for anybody to look up. */
interface ResolvedSearch {
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

  /** @param without what no hit may be in */
  resolve({ mode, written, beside }: ParsedSearch, without: LeftOutRows = NOTHING): ResolvedSearch {
    const asked = written.tree === null ? [] : [this.#tree(written.tree)]
    if (asked.length > 0 || mode !== 'words')
      asked.push(...without.map((tree) => ({ kind: 'not' as const, of: tree })))
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

  /** A prompt may still be answered where its session is being written: only then its silence is no failure. */
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

/** On one level: `in:` says where a pattern is looked for only beside which it stands. */
function allOf(trees: IndexTree[]): IndexTree | null {
  const all = trees.flatMap((tree) => (tree.kind === 'and' ? tree.of : [tree]))
  return all.length === 0 ? null : { kind: 'and', of: onOneCall(all) }
}

/** A tool beside `is:error` means a call of it that failed, and not one beside a failed call of another tool. */
function onOneCall(trees: IndexTree[]): IndexTree[] {
  const isOfTools = (tree: IndexTree): boolean =>
    tree.kind === 'tools' || (tree.kind === 'or' && tree.of.every(isOfTools))
  // with several, whose call failed is not said
  if (!trees.some(isFailure) || trees.filter(isOfTools).length !== 1) return trees
  return trees.map((tree) => (isOfTools(tree) ? failedOnly(tree) : tree))
}

/** As `is:error` is looked up. */
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

/** Something that has a name, and how it is called on screen where that is another. */
interface Named {
  name: string
  label?: string
}

/**
 * The names that a person means by what was typed: the one that is exactly so, else those that are so but for case and
 * accents, else those that are called so on screen. Without any, `*` is anything, `?` one character, and a text without
 * either is a part of the name.
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

/** `Read file`, `read-file` and `ReadFile` are one. */
function squeeze(text: string): string {
  return text.replace(/[\s_-]+/g, '')
}

type Known = Iterable<Pick<LinkedSession, 'summary' | 'record'>>

/** The tools that a person means, of all that were ever called: by the name of one, or by that which it has on screen. */
function meantTools(typed: string, sessions: Known): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { record } of sessions) for (const { name } of record.tools) names.add(name)
  return matchNames(
    typed,
    [...names].map((name) => ({ name, label: toolLabel(name) })),
  )
}

/**
 * Keys of the sessions that called a tool, and to whose prompts something was attached, or not: what a sub-agent did, all did
 * that it is below. null: neither is asked for.
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
