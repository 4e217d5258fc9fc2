/** Every key that does something, in one place: the handlers bind to these names. */
export const shortcuts = {
  focusSearch: { keys: '/', does: 'Focus the search box' },
  goHome: { keys: 'g h', does: 'Go to all sessions' },
  goUsage: { keys: 'g u', does: 'Go to usage' },
  nextRow: { keys: 'j', does: 'Next row' },
  previousRow: { keys: 'k', does: 'Previous row' },
  openRow: { keys: 'Enter', does: 'Open the selected row' },
  openRowInTab: { keys: 'o', does: 'Open the selected row in a new tab' },
} as const satisfies Record<string, { keys: string; does: string }>

export type ShortcutName = keyof typeof shortcuts
