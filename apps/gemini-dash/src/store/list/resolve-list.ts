import type { SessionQuery } from '@gemini-dash/api'
import { nearWords } from '@gemini-dash/api/near-text'
import { foldTextOnly } from '@gemini-dash/session-index'
import { type TimeRange, timeRange } from '../times/time-range.ts'
import { ownZone } from '../times/time-zone.ts'

/** What a list is asked for, with nothing left to look up. */
export interface ResolvedList
  extends Pick<
    SessionQuery,
    'kind' | 'empty' | 'parent' | 'has' | 'deleted' | 'model' | 'sort' | 'days' | 'cursor' | 'limit'
  > {
  /** null: any project. */
  projectKeys: ReadonlySet<string> | null
  range: TimeRange
  /** null: starred or not. */
  isStarred: boolean | null
  /** Folded; empty: any, or none. */
  tag: string
  /** Whose days count. */
  zone: string
  /** A part of title or first prompt, folded as these are; empty: any. */
  title: string
  /** The same, word by word, where its words are enough; null: it has to stand there whole. */
  nearTitle: readonly string[] | null
}

/** Puts in place what a person only names: projects, days, and letters in any case. */
export function resolveList(
  {
    kind,
    empty,
    parent,
    has,
    deleted,
    model,
    sort,
    days,
    cursor,
    limit,
    project,
    title,
    match,
    starred,
    tag,
    tz,
    from,
    to,
  }: SessionQuery,
  findProjects: (wanted: string) => ReadonlySet<string>,
): ResolvedList {
  const zone = tz ?? ownZone()
  return {
    ...{ kind, empty, parent, has, deleted, model, sort, days, cursor, limit, zone },
    projectKeys: project === undefined || project === '' ? null : findProjects(project),
    isStarred: starred === undefined ? null : starred === 'true',
    tag: foldTextOnly(tag ?? ''),
    range: timeRange({ from, to }, zone),
    title: foldTextOnly(title ?? ''),
    nearTitle: match === 'near' ? nearWords(title ?? '') : null,
  }
}
