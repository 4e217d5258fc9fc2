import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useShortcuts } from '../../lib/hooks/use-shortcuts.ts'
import type { ListRow } from './list-rows.ts'

/** j, k, Enter and o over the rows. Gives the key of the selected session. */
export function useRowKeys(rows: ListRow[], scrollTo: (position: number) => void): string | null {
  const navigate = useNavigate()
  const [selectedKey, setSelectedKey] = useState<string | null>(null)

  function step(direction: 1 | -1): undefined {
    const from = rows.findIndex((row) => row.key === selectedKey)
    const position = nextSession(rows, from === -1 && direction === -1 ? rows.length : from, direction)
    const row = rows[position]
    if (!row) return
    setSelectedKey(row.key)
    scrollTo(position)
  }
  useShortcuts({
    nextRow: () => step(1),
    previousRow: () => step(-1),
    openRow: () => {
      if (selectedKey === null) return false
      void navigate({ to: '/s/$key', params: { key: selectedKey } })
      return undefined
    },
    openRowInTab: () => {
      if (selectedKey === null) return false
      window.open(`/s/${encodeURIComponent(selectedKey)}`, '_blank', 'noopener')
      return undefined
    },
  })
  return selectedKey
}

function nextSession(rows: ListRow[], from: number, direction: 1 | -1): number {
  let position = from + direction
  while (rows[position]?.kind === 'day') position += direction
  return position
}
