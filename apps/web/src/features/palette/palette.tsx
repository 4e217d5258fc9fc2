import './palette.css'
import '../../ui/controls/search-box.css'
import { useRouter } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { type ActionName, actions } from '../../lib/actions/action-table.ts'
import { keyCaps, runAction } from '../../lib/actions/use-actions.ts'
import { formatPlural } from '../../lib/figures/format.ts'
import { Icon } from '../../ui/signs/icon.tsx'
import { type PaletteGroup, type PaletteItem, withFirst } from './palette-items.ts'
import { PaletteList } from './palette-list.tsx'
import { insideItem, usePaletteGroups } from './use-palette-groups.ts'

/** One box over sessions, projects, pages, settings and what the page can do. The focus goes back to where it was. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const listId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const { groups: found, state } = usePaletteGroups(text)
  const groups = withFirst(found, useFirstLine(text, found))
  const items = groups.flatMap((group) => group.items)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const active = Math.max(
    items.findIndex(({ id }) => id === chosenId),
    0,
  )
  const take = useTake(() => dialog.current?.close())
  useLayoutEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal()
  }, [])

  function onKeyDown(event: KeyboardEvent) {
    // closed, the box still has the focus for a moment: what is pressed then is for the page
    if (dialog.current?.open !== true) return
    // keys of the page below are not meant here
    event.stopPropagation()
    if (event.nativeEvent.isComposing) return
    const isModified = event.ctrlKey || event.metaKey
    if (event.key === 'ArrowDown') setChosenId(items[(active + 1) % items.length]?.id ?? null)
    else if (event.key === 'ArrowUp') setChosenId(items.at(active - 1)?.id ?? null)
    else if (event.key === 'Enter' && event.shiftKey) take(insideItem(text), isModified)
    else if (event.key === 'Enter') take(items[active], isModified)
    else if (isModified && event.key.toLowerCase() === 'k') dialog.current?.close()
    else return
    event.preventDefault()
  }
  return (
    <dialog
      className="palette"
      aria-label="Command palette"
      ref={dialog}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close()
      }}
      onKeyDown={onKeyDown}
    >
      <div className="palette-box">
        <Icon of={Search} />
        <input
          type="text"
          role="combobox"
          aria-label={actions.openPalette.words}
          aria-expanded={items.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={items.length > 0 ? `${listId}-${active}` : undefined}
          placeholder={actions.openPalette.words}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="auto"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setChosenId(null)
          }}
        />
        <button
          type="button"
          className="palette-close"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <kbd className="key-cap">Esc</kbd>
        </button>
      </div>
      {state === 'none' && (
        <p className="palette-none">
          No session, page or action is called <b dir="auto">{text}</b>.
        </p>
      )}
      <PaletteList
        id={listId}
        groups={groups}
        active={active}
        onTake={(item, event: MouseEvent) => take(item, event.ctrlKey || event.metaKey)}
      />
      <p className="palette-foot">
        <span role="status">
          {state === 'looking'
            ? 'Looking for sessions …'
            : text === ''
              ? ''
              : formatPlural(items.length, 'result')}
        </span>
        <span className="wide-only">
          <kbd className="key-cap">↑</kbd> <kbd className="key-cap">↓</kbd> choose
        </span>
        <span className="wide-only">
          <kbd className="key-cap">Enter</kbd> go
        </span>
        <span className="wide-only">
          <kbd className="key-cap">{keyCaps('$mod+Enter').join(' ')}</kbd> new tab
        </span>
      </p>
    </dialog>
  )
}

/**
 * The line that Enter takes as long as nothing else is chosen: what comes late never changes it while someone reads. Only what
 * is offered for want of anything else gives way.
 */
function useFirstLine(text: string, groups: readonly PaletteGroup[]): string | null {
  const [held, setHeld] = useState<{ text: string; id: string } | null>(null)
  const items = groups.flatMap((group) => group.items)
  const isHeld = held !== null && held.text === text && items.some(({ id }) => id === held.id)
  if (isHeld) return held.id
  const first = items[0]
  if (first === undefined || first.icon === 'inside' || first.icon === 'retry') return null
  setHeld({ text, id: first.id })
  return first.id
}

/** Goes where a line leads to, or does what it says; the palette is closed by then, and what it returned the focus to has it. */
function useTake(close: () => void) {
  const { history } = useRouter()
  return (item: PaletteItem | undefined, isInNewTab: boolean) => {
    if (item === undefined) return
    if (item.icon === 'retry') return item.retry?.()
    if (item.href !== undefined && isInNewTab) {
      window.open(item.href, '_blank', 'noopener')
      return
    }
    close()
    if (item.href !== undefined) history.push(item.href)
    else runAction(item.icon as ActionName)
  }
}
