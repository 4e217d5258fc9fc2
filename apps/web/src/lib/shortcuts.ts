/** Every key that does something, in one place: the handlers bind to these names. */
export const shortcuts = {
  focusSearch: { keys: '/', does: 'Focus the search box' },
  goHome: { keys: 'g h', does: 'Go to all sessions' },
  goUsage: { keys: 'g u', does: 'Go to usage' },
  nextRow: { keys: 'j', does: 'Next row' },
  previousRow: { keys: 'k', does: 'Previous row' },
  openRow: { keys: 'Enter', does: 'Open the selected row' },
  openRowInTab: { keys: 'o', does: 'Open the selected row in a new tab' },
  nextTurn: { keys: 'Shift+J', does: 'Next prompt of the session' },
  previousTurn: { keys: 'Shift+K', does: 'Previous prompt of the session' },
  nextAnswer: { keys: 'a', does: 'Next answer of the session' },
  previousAnswer: { keys: 'Shift+A', does: 'Previous answer of the session' },
  nextError: { keys: 'e', does: 'Next error of the session' },
  previousError: { keys: 'Shift+E', does: 'Previous error of the session' },
  findHere: { keys: 'f', does: 'Find in this session' },
  nextHit: { keys: 'n', does: 'Next hit of the find' },
  previousHit: { keys: 'm', does: 'Previous hit of the find' },
  toggleThoughts: { keys: 't', does: 'Open or close the thoughts here' },
  toggleTools: { keys: 'x', does: 'Open or close the tool calls here' },
  goEnd: { keys: 'Shift+G', does: 'Go to the end, and follow it' },
  goStart: { keys: 'g g', does: 'Go to the start' },
  copyMessageLink: { keys: 'y', does: 'Copy the link to this message' },
} as const satisfies Record<string, { keys: string; does: string }>

export type ShortcutName = keyof typeof shortcuts
