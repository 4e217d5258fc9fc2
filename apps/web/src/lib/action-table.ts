import {
  DELETED_LABELS,
  LIST_KIND_LABELS,
  LIST_ORDER_LABELS,
  LIST_TIME_LABELS,
  SEARCH_FIELD_LABELS,
  SEARCH_MODE_LABELS,
  SEARCH_ORDER_LABELS,
  SEARCH_STATE_LABELS,
  SEARCH_TIME_LABELS,
  USAGE_METRIC_LABELS,
  USAGE_RANGE_LABELS,
  USAGE_TABLE_LABELS,
  USAGE_UNIT_LABELS,
} from './page-searches.ts'

interface Choice<Name extends string, Value extends string> {
  place: ActionPlace
  name: Name
  /** Label of the choice, shown before each value. */
  legend: string
  /** Labels of the values, as on the page. */
  labels: Record<Value, string>
  /** Values suggested before anything is typed. */
  first?: readonly Value[]
}

/** Actions for a choice on a page, one for each value of its menu or switch. */
function choiceActions<Name extends string, Value extends string>({
  place,
  name,
  legend,
  labels,
  first = [],
}: Choice<Name, Value>): Record<`${Name}:${Value}`, Action> {
  const each = (Object.keys(labels) as Value[]).map((value) => {
    const action: Action = { words: `${legend}: ${labels[value]}`, keys: [], place }
    return [`${name}:${value}`, first.includes(value) ? { ...action, isFirst: true } : action]
  })
  return Object.fromEntries(each)
}

/** Handlers of these actions, by their names. */
export function choiceHandlers<Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
  choose: (value: Value) => void,
): Record<`${Name}:${Value}`, () => undefined> {
  const each = values.map((value) => [`${name}:${value}`, () => void choose(value)])
  return Object.fromEntries(each)
}

/** The values of labels, in order. */
export function valuesOf<Value extends string>(labels: Record<Value, string>): Value[] {
  return Object.keys(labels) as Value[]
}

/** The values as options of a menu or switch. */
export function optionsOf<Value extends string>(labels: Record<Value, string>) {
  return valuesOf(labels).map((value) => ({ value, label: labels[value] }))
}

/** Actions of single pages, worded like their menus and switches. Available while these are mounted; no keys. */
const pageActions = {
  onlyFailed: first('list', 'Toggle: failed only'),
  onlyStarred: first('list', 'Toggle: starred only'),
  onlyLive: of('list', 'Toggle: running only'),
  chooseRows: first('list', 'Select sessions to compare or export'),
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
    legend: 'Who, on or off',
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
    first: ['recent'],
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
    legend: 'Chart',
    labels: USAGE_METRIC_LABELS,
    first: ['tokens'],
  }),
  ...choiceActions({ place: 'usage', name: 'unit', legend: 'Interval', labels: USAGE_UNIT_LABELS }),
  ...choiceActions({ place: 'usage', name: 'table', legend: 'Table', labels: USAGE_TABLE_LABELS }),
  allProjects: first('usage', 'Usage of all projects'),
  exportUsage: first('usage', 'Export data…'),

  swapSides: first('compare', 'Swap the two sessions'),

  exportMarks: first('settings', 'Export stars, notes and tags'),
  importMarks: first('settings', 'Import stars, notes and tags'),
  askAgain: first('settings', 'Check the files again'),
  showReport: first('settings', 'Show or hide the diagnostic report'),
  // consequential: not where Enter alone would run them
  rebuildIndex: of('settings', 'Rebuild the search index'),
  clearCache: of('settings', 'Clear the cache'),
} as const

function of<Place extends ActionPlace>(place: Place, words: string) {
  return { words, keys: [], place }
}

function first<Place extends ActionPlace>(place: Place, words: string) {
  return { ...of(place, words), isFirst: true as const }
}

/** Every action with a key or an entry in the palette or a menu. Components bind handlers to these names. */
export const actions = {
  goHome: page('All sessions', ['g h'], '/'),
  goSearch: page('Search', ['g s', '$mod+Shift+F'], '/search'),
  goUsage: page('Usage', ['g u', 'g a'], '/usage'),
  goFiles: page('Files', ['g f'], '/search?q=file%3A'),
  goChats: page('Saved chats', ['g m'], '/?kind=checkpoint'),
  goPrompts: page('Prompts without a session', [], '/?kind=prompts-only'),
  openFile: page('Open a session file…', [], '/open'),

  goSettings: page('Settings', ['g ,'], '/settings'),
  usageWeek: part('Usage of 7 days', '/usage?range=7d'),
  usageQuarter: part('Usage of 90 days', '/usage?range=90d'),
  usageAll: part('Usage of all time', '/usage?range=all'),
  setAppearance: part('Settings: theme, density and what is open at first', '/settings'),
  setPrices: part('Settings: prices, billing and budgets', '/settings/prices'),
  setHomes: part('Settings: Gemini folders', '/settings/storage'),
  seeDeletedSoon: part('Settings: what Gemini CLI deletes soon', '/settings/storage#retention'),
  setProjects: part('Settings: find the folders of unknown projects', '/settings/storage#projects'),
  seeDisk: part('Settings: disk space of the Gemini folder', '/settings/storage#disk'),
  setArchive: part('Settings: archive', '/settings/storage#keep'),
  setCache: part('Settings: cache', '/settings/storage#cache'),
  setMarks: part('Settings: export and import stars, notes and tags', '/settings/storage#marks'),
  setJournal: part('Settings: changes to the Gemini folder', '/settings/storage#journal'),
  setPrivacy: part('Settings: privacy', '/settings/privacy'),
  setDiagnostics: part('Settings: diagnostics and report', '/settings/diagnostics'),

  openPalette: step('Search or jump to', ['$mod+K', '/'], 'everywhere'),
  showKeys: everywhere('Show these keys', ['Shift+?']),
  toggleSidebar: everywhere('Show or hide the sidebar', ['\\']),
  changeDensity: everywhere('Toggle compact rows', ['.']),
  changeTheme: everywhere('Theme: system, light or dark', ['Shift+D']),
  changeZone: everywhere('Times in your zone or UTC', []),
  changeSingleKeys: everywhere('Single-key shortcuts on or off', []),

  nextRow: step('Next row, hit or message', ['j'], 'rows'),
  previousRow: step('Previous row, hit or message', ['k'], 'rows'),
  openRow: step('Open the selected row', ['Enter'], 'rows'),
  openRowInTab: step('Open the selected row in a new tab', ['o'], 'rows'),
  rowMenu: step('Actions of the selected row', ['Shift+F10', 'ContextMenu'], 'rows'),
  starRow: step('Star or unstar the selected row', ['s'], 'rows'),

  nextTurn: inSession('Next prompt of the session', ['Shift+J']),
  previousTurn: inSession('Previous prompt of the session', ['Shift+K']),
  nextAnswer: inSession('Next answer of the session', ['a']),
  previousAnswer: inSession('Previous answer of the session', ['Shift+A']),
  nextError: { ...inSession('Next error of the session', ['e']), isFirst: true },
  previousError: inSession('Previous error of the session', ['Shift+E']),
  findHere: { ...inSession('Find in this session', ['f']), isFirst: true },
  nextHit: step('Next hit of the find', ['n'], 'session'),
  previousHit: step('Previous hit of the find', ['Shift+N'], 'session'),
  toggleThoughts: inSession('Open or close the thoughts here', ['t']),
  toggleAllThoughts: inSession('Open or close all thoughts', ['Shift+T']),
  toggleTools: inSession('Open or close the tool calls here', ['x']),
  toggleAllTools: inSession('Open or close all tool calls', ['Shift+X']),
  toggleOutline: inSession('Show or hide outline and minimap', ['m']),
  goEnd: inSession('Go to the end, and follow it', ['Shift+G']),
  goStart: inSession('Go to the start', ['g g']),
  toEnd: step('Go to the last message', ['End'], 'session'),
  toStart: step('Go to the first message', ['Home'], 'session'),
  copyMessageLink: inSession('Copy the link to this message', ['y']),
  copyMessage: inSession('Copy this message as Markdown', ['c']),
  laterSession: inSession('Next session of this project', [']']),
  earlierSession: inSession('Previous session of this project', ['[']),
  goProject: inSession('Go to the project of this session', ['g p']),
  starSession: { ...inSession('Star or unstar this session', ['s']), isFirst: true },
  showChanges: { ...inSession('Changes of this session', []), isFirst: true },
  showCost: { ...inSession('Cost of this session', []), isFirst: true },
  toggleChart: inSession('Unfold or fold the token chart', []),
  resumeSession: { ...inSession('Resume', []), isFirst: true },
  noteSession: inSession('Note, tags and title', []),
  shareSession: { ...inSession('Share this session', []), isFirst: true },
  briefSession: inSession('Brief for another agent', []),
  sessionFiles: inSession('Files of this session', []),
  printSession: inSession('Print', []),
  recoverSession: inSession('Recover…', []),
  moveSession: inSession('Move…', []),
  forgetSession: inSession('Delete from gemini-dash…', []),

  ...pageActions,

  saveView: { ...everywhere('Save this view…', []), isFirst: true },
  copyPageLink: { ...everywhere('Copy the link to this page', []), isFirst: true },
} as const satisfies Record<string, Action>

export type ActionName = keyof typeof actions

/** Groups of the shortcut sheet and the docs, in order. */
export const keyGroups = [
  { place: 'everywhere', title: 'Everywhere' },
  { place: 'pages', title: 'Go to' },
  { place: 'rows', title: 'Lists' },
  { place: 'session', title: 'In a session' },
] as const satisfies { place: ActionPlace; title: string }[]

/** Sections of the docs for page actions in the palette. */
export const pagePlaces = [
  { place: 'list', title: 'Lists of sessions' },
  { place: 'search', title: 'Search' },
  { place: 'usage', title: 'Usage' },
  { place: 'compare', title: 'Compare sessions' },
  { place: 'settings', title: 'Settings' },
  { place: 'session', title: 'A session' },
  { place: 'everywhere', title: 'Every page' },
  { place: 'pages', title: 'Go to' },
] as const satisfies { place: ActionPlace; title: string }[]

/** Actions of a place that have a key. */
export function keyedActions(place: ActionPlace): Action[] {
  return ofPlace(place).filter(({ keys }) => keys.length > 0)
}

/** Actions of a place without a key. */
export function keylessActions(place: ActionPlace): Action[] {
  return ofPlace(place).filter(({ keys }) => keys.length === 0)
}

function ofPlace(place: ActionPlace): Action[] {
  return Object.values<Action>(actions).filter((action) => action.place === place)
}

function page(words: string, keys: string[], href: string) {
  return { words, keys, place: 'pages' as const, href }
}

function part(words: string, href: string) {
  return { words, keys: [], place: 'pages' as const, isPart: true as const, href }
}

function everywhere(words: string, keys: string[]) {
  return { words, keys, place: 'everywhere' as const }
}

function step(words: string, keys: string[], place: ActionPlace) {
  return { words, keys, place, isStep: true as const }
}

function inSession(words: string, keys: string[]) {
  return { words, keys, place: 'session' as const }
}

/** Where an action applies: it is active only while its subject is mounted. */
type ActionPlace =
  | 'pages'
  | 'everywhere'
  | 'rows'
  | 'session'
  | 'list'
  | 'search'
  | 'usage'
  | 'compare'
  | 'settings'

export interface Action {
  /** The text in menus, the palette and the shortcut sheet. */
  words: string
  /** In tinykeys notation; alternatives for the same action. Empty: menu and palette only. */
  keys: readonly string[]
  place: ActionPlace
  /** One step of many, only useful as a key: not in the palette. */
  isStep?: true
  /** Suggested by the palette before anything is typed. */
  isFirst?: true
  /** A section of a page that is suggested itself. */
  isPart?: true
  /** Address, for actions that open a page. */
  href?: string
}
