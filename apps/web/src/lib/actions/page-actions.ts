import {
  SEARCH_FIELD_LABELS,
  SEARCH_MODE_LABELS,
  SEARCH_ORDER_LABELS,
  SEARCH_STATE_LABELS,
  SEARCH_TIME_LABELS,
} from '../address/find-search.ts'
import {
  DELETED_LABELS,
  LIST_KIND_LABELS,
  LIST_ORDER_LABELS,
  LIST_TIME_LABELS,
} from '../address/list-search.ts'
import {
  COMPARE_SCOPE_LABELS,
  FILE_SHOW_LABELS,
  USAGE_METRIC_LABELS,
  USAGE_RANGE_LABELS,
  USAGE_SPLIT_LABELS,
} from '../address/page-searches.ts'
import type { ActionPlace } from './action.ts'
import { choiceActions } from './choice-actions.ts'

/** What single pages can do, by the words of their own menus and switches: offered while they are drawn, without keys. */
export const pageActions = {
  onlyFailed: first('list', 'Only sessions with errors, or all again'),
  onlyStarred: first('list', 'Only starred sessions, or all again'),
  onlyLive: of('list', 'Only live sessions, or all again'),
  chooseRows: first('list', 'Choose sessions to compare or export'),
  exportShown: first('list', 'Export the sessions that are shown'),
  clearFilters: first('list', 'Clear all filters'),
  ...choiceActions({
    place: 'list',
    name: 'order',
    legend: 'Order',
    labels: LIST_ORDER_LABELS,
    first: ['cost'],
  }),
  ...choiceActions({
    place: 'list',
    name: 'time',
    legend: 'Time',
    labels: LIST_TIME_LABELS,
    first: ['7d'],
  }),
  ...choiceActions({ place: 'list', name: 'kind', legend: 'Kind', labels: LIST_KIND_LABELS }),
  ...choiceActions({ place: 'list', name: 'deleted', legend: 'Deleted', labels: DELETED_LABELS }),

  exportFound: first('search', 'Export the sessions that were found'),
  clearFacets: first('search', 'Clear all filters beside the query'),
  ...choiceActions({
    place: 'search',
    name: 'when',
    legend: 'Time',
    labels: SEARCH_TIME_LABELS,
    first: ['7d'],
  }),
  ...choiceActions({
    place: 'search',
    name: 'said',
    legend: 'Said by, on or off',
    labels: SEARCH_FIELD_LABELS,
    first: ['prompt', 'answer'],
  }),
  ...choiceActions({
    place: 'search',
    name: 'state',
    legend: 'State, on or off',
    labels: SEARCH_STATE_LABELS,
  }),
  ...choiceActions({ place: 'search', name: 'mode', legend: 'How to search', labels: SEARCH_MODE_LABELS }),
  ...choiceActions({
    place: 'search',
    name: 'found',
    legend: 'Order',
    labels: SEARCH_ORDER_LABELS,
    first: ['relevance'],
  }),
  forgetSearches: of('search', 'Clear the recent searches'),

  ...choiceActions({
    place: 'usage',
    name: 'range',
    legend: 'Range',
    labels: USAGE_RANGE_LABELS,
    first: ['7d', 'all'],
  }),
  ...choiceActions({
    place: 'usage',
    name: 'metric',
    legend: 'Metric',
    labels: USAGE_METRIC_LABELS,
    first: ['tokens'],
  }),
  ...choiceActions({
    place: 'usage',
    name: 'split',
    legend: 'Columns',
    labels: USAGE_SPLIT_LABELS,
    first: ['project'],
  }),
  allProjects: first('usage', 'Usage of all projects'),
  showTables: first('usage', 'All charts as tables, or as charts again'),
  exportUsage: first('usage', 'Usage day by day as CSV'),

  swapSides: first('compare', 'Swap the two sessions'),
  chooseOther: first('compare', 'Compare with another session'),
  ...choiceActions({
    place: 'compare',
    name: 'scope',
    legend: 'Sessions of',
    labels: COMPARE_SCOPE_LABELS,
    first: ['all'],
  }),

  ...choiceActions({
    place: 'file',
    name: 'show',
    legend: 'Show',
    labels: FILE_SHOW_LABELS,
    first: ['changes'],
  }),
  copyPath: first('file', 'Copy the path of this file'),

  askAgain: first('health', 'Ask for this report again'),

  exportMarks: first('settings', 'Export own marks'),
  importMarks: first('settings', 'Import own marks from a file'),
  showReport: first('settings', 'Show or hide the report of the health'),
  // of consequence: not where Enter alone would take them
  rebuildIndex: of('settings', 'Rebuild the index of these homes'),
  clearCache: of('settings', 'Clear the cache'),
} as const

function of<Place extends ActionPlace>(place: Place, words: string) {
  return { words, keys: [], place }
}

function first<Place extends ActionPlace>(place: Place, words: string) {
  return { ...of(place, words), isFirst: true as const }
}
