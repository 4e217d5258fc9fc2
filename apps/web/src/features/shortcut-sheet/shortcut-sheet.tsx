import './shortcut-sheet.css'
import { X } from 'lucide-react'
import { shortcuts } from '../../lib/hooks/shortcuts.ts'
import { IconButton } from '../../ui/buttons/icon-button.tsx'

const GROUPS = [
  { where: 'everywhere', title: 'Everywhere' },
  { where: 'rows', title: 'In lists' },
  { where: 'session', title: 'In a session' },
] as const

/** All keys that do something. The dialog takes the focus, and Escape gives it back. */
export default function ShortcutSheet({ onClose }: { onClose: () => void }) {
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
        {GROUPS.map(({ where, title }) => (
          <section key={where} aria-label={title}>
            <h3>{title}</h3>
            <dl>
              {Object.entries(shortcuts)
                .filter(([, shortcut]) => shortcut.where === where)
                .map(([name, { keys, does }]) => (
                  <div key={name}>
                    <dt>
                      {keysOf(keys).map((key, index) => (
                        <kbd key={`${index} ${key}`}>{key}</kbd>
                      ))}
                    </dt>
                    <dd>{does}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  )
}

/** `Shift+J` and `g h` as the caps that are pressed; the sign needs no Shift to be told. */
function keysOf(keys: string): string[] {
  return keys === 'Shift+?' ? ['?'] : keys.split(/[ +]/)
}
