import { type SearchQuery, searchFieldSchema } from '@gemini-dash/api'
import type { IndexTree } from '@gemini-dash/session-index'
import { findProjects } from '../projects/find-projects.ts'
import { startOfTime } from '../times/time-zone.ts'
import { type SearchScope, sessionKeysWhere } from './search-scope.ts'
import { sessionsOf, stateOf, toolsOf } from './to-index-tree.ts'

/** The filters that stand beside the query, by the thing that they are about. */
export type Parameter = 'project' | 'model' | 'in' | 'tool' | 'status' | 'is' | 'time'

/** What each of them asks for. */
export function parameterTrees(
  query: SearchQuery,
  scope: SearchScope,
  zone: string,
): Map<Parameter, IndexTree> {
  const trees: [Parameter, IndexTree | null][] = [
    ['project', projectTree(query.project, scope)],
    ['model', oneOf(valuesOf(query.model).map((pattern) => sessionsOf({ kind: 'model', pattern }, scope)))],
    ['in', fieldTree(query.in)],
    ['tool', oneOf(valuesOf(query.tool).map((pattern) => toolsOf({ kind: 'tool', pattern }, scope)))],
    ['status', oneOf(valuesOf(query.status).map((status) => ({ kind: 'status', status })))],
    ['is', stateTree(query.is, scope)],
    ['time', timeTree(query, zone)],
  ]
  return new Map(trees.flatMap(([name, tree]) => (tree === null ? [] : [[name, tree] as const])))
}

function valuesOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
}

function oneOf(trees: IndexTree[]): IndexTree | null {
  const [only] = trees
  if (only === undefined) return null
  return trees.length === 1 ? only : { kind: 'or', of: trees }
}

/** A name may itself hold a comma. */
function projectTree(text: string | undefined, scope: SearchScope): IndexTree | null {
  if (text === undefined || text === '') return null
  const whole = findProjects(scope.projects, text)
  const keys =
    whole.size > 0
      ? whole
      : new Set(valuesOf(text).flatMap((name) => [...findProjects(scope.projects, name)]))
  return { kind: 'sessions', keys: sessionKeysWhere(scope, ({ project }) => keys.has(project.key)) }
}

function fieldTree(text: string | undefined): IndexTree | null {
  const fields = valuesOf(text).flatMap((name) => searchFieldSchema.safeParse(name).data ?? [])
  return fields.length === 0 ? null : { kind: 'in', fields }
}

const STATES = ['error', 'live', 'subagent', 'superseded'] as const

function stateTree(text: string | undefined, scope: SearchScope): IndexTree | null {
  return oneOf(
    valuesOf(text).flatMap((what): IndexTree[] => {
      const state = STATES.find((name) => name === what)
      return state === undefined ? [] : [stateOf(state, scope)]
    }),
  )
}

function timeTree({ from, to }: SearchQuery, zone: string): IndexTree | null {
  const bounds: IndexTree[] = []
  if (from !== undefined) bounds.push({ kind: 'after', timeMs: startOfTime(from, zone) })
  if (to !== undefined) bounds.push({ kind: 'before', timeMs: startOfTime(to, zone) })
  return bounds.length === 0 ? null : { kind: 'and', of: bounds }
}
