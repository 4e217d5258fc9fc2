import './shortcut-sheet.css'
import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { keyedActions, keyGroups } from '../../lib/actions/action-table.ts'
import { keyCaps, singleKeys } from '../../lib/actions/use-actions.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'

/** All keys that do something. The dialog takes the focus, and Escape gives it back. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const areSingle = useSyncExternalStore(singleKeys.subscribe, singleKeys.get)
  return (
    <dialog
      className="shortcut-sheet"
      aria-labelledby="shortcut-sheet-title"
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close()
      }}
      onKeyDown={(event) => {
        // keys of the page below are not meant here
        if (event.key !== 'Escape') event.stopPropagation()
      }}
    >
      <div className="shortcut-sheet-body">
        <div className="shortcut-sheet-head">
          <h2 id="shortcut-sheet-title">Keys</h2>
          <IconButton icon={X} label="Close" onClick={onClose} />
        </div>
        {!areSingle && (
          <p className="shortcut-sheet-off">
            Letters and signs alone are switched off in the settings. Keys with Ctrl, Enter, Home and End act.
          </p>
        )}
        {keyGroups.map(({ place, title }) => (
          <section key={place} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {keyedActions(place).map(({ keys, words }) => (
                <div key={words}>
                  <dt>
                    <Caps keys={keys} />
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  )
}

/** All that lead to it, with a word between them. */
function Caps({ keys }: { keys: readonly string[] }) {
  return keys.map((each, position) => (
    <span key={each} className="shortcut-sheet-keys">
      {position > 0 && 'or '}
      {keyCaps(each).map((cap, place) => (
        <kbd key={`${place} ${cap}`}>{cap}</kbd>
      ))}
    </span>
  ))
}
