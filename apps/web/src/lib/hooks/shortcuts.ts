/** Every key that does something, in one place: the handlers bind to these names. */
export const shortcuts = {
  showShortcuts: { keys: 'Shift+?', where: 'everywhere', does: 'Show these keys' },
  focusSearch: { keys: '/', where: 'everywhere', does: 'Focus the search box' },
  goHome: { keys: 'g h', where: 'everywhere', does: 'Go to all sessions' },
  goUsage: { keys: 'g u', where: 'everywhere', does: 'Go to usage' },
  nextRow: { keys: 'j', where: 'rows', does: 'Next row, hit or message' },
  previousRow: { keys: 'k', where: 'rows', does: 'Previous row, hit or message' },
  openRow: { keys: 'Enter', where: 'rows', does: 'Open the selected row' },
  openRowInTab: { keys: 'o', where: 'rows', does: 'Open the selected row in a new tab' },
  nextTurn: { keys: 'Shift+J', where: 'session', does: 'Next prompt of the session' },
  previousTurn: { keys: 'Shift+K', where: 'session', does: 'Previous prompt of the session' },
  nextAnswer: { keys: 'a', where: 'session', does: 'Next answer of the session' },
  previousAnswer: { keys: 'Shift+A', where: 'session', does: 'Previous answer of the session' },
  nextError: { keys: 'e', where: 'session', does: 'Next error of the session' },
  previousError: { keys: 'Shift+E', where: 'session', does: 'Previous error of the session' },
  findHere: { keys: 'f', where: 'session', does: 'Find in this session' },
  nextHit: { keys: 'n', where: 'session', does: 'Next hit of the find' },
  previousHit: { keys: 'm', where: 'session', does: 'Previous hit of the find' },
  toggleThoughts: { keys: 't', where: 'session', does: 'Open or close the thoughts here' },
  toggleTools: { keys: 'x', where: 'session', does: 'Open or close the tool calls here' },
  goEnd: { keys: 'Shift+G', where: 'session', does: 'Go to the end, and follow it' },
  goStart: { keys: 'g g', where: 'session', does: 'Go to the start' },
  toEnd: { keys: 'End', where: 'session', does: 'Go to the last message' },
  toStart: { keys: 'Home', where: 'session', does: 'Go to the first message' },
  copyMessageLink: { keys: 'y', where: 'session', does: 'Copy the link to this message' },
} as const satisfies Record<string, { keys: string; where: 'everywhere' | 'rows' | 'session'; does: string }>

export type ShortcutName = keyof typeof shortcuts
