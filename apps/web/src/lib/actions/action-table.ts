import type { Action, ActionPlace } from './action.ts'
import { pageActions } from './page-actions.ts'

/** Everything that can be done by a key, from the palette or from a menu, in one place: what draws it binds its program to these names. */
export const actions = {
  goHome: page('All sessions', ['g h'], '/'),
  goSearch: page('Search', ['g s', '$mod+Shift+F'], '/search'),
  goUsage: page('Usage', ['g u', 'g a'], '/usage'),
  goHealth: page('Health', ['g d'], '/doctor'),
  goCompare: page('Compare sessions', ['g c'], '/compare'),
  goFiles: page('Files', ['g f'], '/file'),
  goChats: page('Saved chats', ['g m'], '/?kind=checkpoint'),
  goPrompts: page('Prompts without a session', [], '/?kind=prompts-only'),

  goSettings: page('Settings', ['g ,'], '/settings'),
  usageWeek: part('Usage of 7 days', '/usage?range=7d'),
  usageQuarter: part('Usage of 90 days', '/usage?range=90d'),
  usageAll: part('Usage of all time', '/usage?range=all'),
  seeDeletedSoon: part('Health: what Gemini CLI deletes soon', '/doctor#retention'),
  seeDisk: part('Health: what the homes take on disk', '/doctor#disk'),
  setAppearance: part('Settings: theme, density, clock and what is open at first', '/settings#appearance'),
  setKeys: part('Settings: keys', '/settings#keys'),
  setHomes: part('Settings: homes and their labels', '/settings#homes'),
  setArchive: part('Settings: archive', '/settings#keep'),
  setCache: part('Settings: cache', '/settings#cache'),
  setPrices: part('Settings: prices and plan', '/settings#prices'),
  setMarks: part('Settings: export and import of own marks', '/settings#marks'),
  setPrivacy: part('Settings: privacy, and what is kept where', '/settings#privacy'),
  setJournal: part('Settings: what was written under a home', '/settings#journal'),
  setReport: part('Settings: report of the health', '/settings#health'),

  openPalette: step('Find a session, a page or an action', ['$mod+K'], 'everywhere'),
  focusSearch: everywhere('Focus the search box', ['/']),
  showKeys: everywhere('Show these keys', ['Shift+?']),
  toggleSidebar: everywhere('Show or hide the sidebar', ['\\']),
  changeDensity: everywhere('Rows comfortable or compact', ['.']),
  changeTheme: everywhere('Theme: system, light or dark', ['Shift+D']),
  changeZone: everywhere('Times in your zone or UTC', []),
  changeClock: everywhere('Clock of 24 or 12 hours', []),
  changeSingleKeys: everywhere('Single-key shortcuts on or off', []),

  nextRow: step('Next row, hit or message', ['j'], 'rows'),
  previousRow: step('Previous row, hit or message', ['k'], 'rows'),
  openRow: step('Open the selected row', ['Enter'], 'rows'),
  openRowInTab: step('Open the selected row in a new tab', ['o'], 'rows'),

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
  toggleOutline: inSession('Show or hide outline and strip', ['m']),
  goEnd: inSession('Go to the end, and follow it', ['Shift+G']),
  goStart: inSession('Go to the start', ['g g']),
  toEnd: step('Go to the last message', ['End'], 'session'),
  toStart: step('Go to the first message', ['Home'], 'session'),
  copyMessageLink: inSession('Copy the link to this message', ['y']),
  copyMessage: inSession('Copy this message as Markdown', ['c']),
  laterSession: inSession('Next session of this project', [']']),
  earlierSession: inSession('Previous session of this project', ['[']),
  goProject: inSession('Go to the project of this session', ['g p']),
  starSession: { ...inSession('Star this session, or take the star back', ['s']), isFirst: true },
  showTimeline: inSession('Timeline of this session', []),
  showContext: { ...inSession('Where it went: cost and context of this session', []), isFirst: true },
  resumeSession: { ...inSession('Resume', []), isFirst: true },
  noteSession: inSession('Note, tags and title', []),
  handOver: inSession('Hand over', []),
  exportSession: { ...inSession('Export', []), isFirst: true },
  compareSession: inSession('Compare with…', []),
  printSession: inSession('Print', []),
  recoverSession: inSession('Recover…', []),
  moveSession: inSession('Move to another folder…', []),
  forgetSession: inSession('Forget…', []),

  ...pageActions,

  saveView: { ...everywhere('Save this view under a name', []), isFirst: true },
  copyPageLink: { ...everywhere('Copy the link to this page', []), isFirst: true },
} as const satisfies Record<string, Action>

export type ActionName = keyof typeof actions

/** Where the sheet of keys and the docs name them, in their order. */
export const keyGroups = [
  { place: 'everywhere', title: 'Everywhere' },
  { place: 'pages', title: 'To pages' },
  { place: 'rows', title: 'In lists' },
  { place: 'session', title: 'In a session' },
] as const satisfies { place: ActionPlace; title: string }[]

/** Where the docs name what a page offers by the palette. */
export const pagePlaces = [
  { place: 'list', title: 'Lists of sessions' },
  { place: 'search', title: 'Search' },
  { place: 'usage', title: 'Usage' },
  { place: 'compare', title: 'Compare sessions' },
  { place: 'file', title: 'History of a file' },
  { place: 'health', title: 'Health' },
  { place: 'settings', title: 'Settings' },
  { place: 'session', title: 'A session' },
  { place: 'everywhere', title: 'Every page' },
  { place: 'pages', title: 'Ways to pages' },
] as const satisfies { place: ActionPlace; title: string }[]

/** Those of a place that have a key. */
export function keyedActions(place: ActionPlace): Action[] {
  return ofPlace(place).filter(({ keys }) => keys.length > 0)
}

/** Those of a place that have none. */
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
