import './shortcut-sheet.css'
import { useSyncExternalStore } from 'react'
import { keyedActions, keyGroups } from '../lib/action-table.ts'
import { keyCaps, singleKeys } from '../lib/use-actions.ts'
import { Dialog } from '../ui/dialog.tsx'

/** All keyboard shortcuts. The dialog takes the focus; Escape returns it. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const areSingle = useSyncExternalStore(singleKeys.subscribe, singleKeys.get)
  return (
    <Dialog title="Keys" shape="wide" onClose={onClose}>
      <div className="shortcut-sheet">
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
    </Dialog>
  )
}

/** All alternatives for an action, joined by "or". */
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
