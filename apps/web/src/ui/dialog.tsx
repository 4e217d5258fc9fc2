import './dialog.css'
import './rail-frame.css'
import { ChevronDown, X } from 'lucide-react'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { classNames } from '../lib/browser.ts'
import { useIsNarrow } from '../lib/hooks.ts'
import { Button, OpenDrawer } from './buttons/button.tsx'
import { IconButton } from './buttons/icon-button.tsx'
import { Icon } from './icons.tsx'
import { ScrollRegion } from './scroll-region.tsx'
import { Notice } from './states.tsx'

interface Props {
  title: string
  /** In the middle, or wider there; at the side, for what is read; a rail that slides in. */
  shape?: 'card' | 'wide' | 'side' | 'drawer'
  /** Before and behind the heading. */
  lead?: ReactNode
  tools?: ReactNode
  /** Which of the things it is that are shown in it one after the other: each begins at its heading. */
  page?: number
  /** What stands between heading and actions is filled in, and sent by one of them. */
  form?: Pick<ComponentProps<'form'>, 'onSubmit' | 'onInput'>
  actions?: ReactNode
  /** Why what was asked for was not done. */
  error?: Error | null
  /** It is being done: until then nobody leaves by accident. */
  isBusy?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * The one form of all dialogs: heading, close, a body that scrolls, actions. The keys of the page below do nothing meanwhile,
 * and however it ends, the focus is back where it was.
 */
export function Dialog({ title, shape = 'card', page, form, isBusy = false, onClose, ...parts }: Props) {
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useBegun(dialog, page, isBusy)
  const inside = (
    <>
      <header className="dialog-head">
        {parts.lead}
        <h2
          id={titleId}
          tabIndex={page === undefined ? undefined : -1}
          className={shape === 'drawer' ? 'visually-hidden' : undefined}
        >
          {title}
        </h2>
        {parts.tools}
        <IconButton icon={X} label="Close" disabled={isBusy} onClick={() => dialog.current?.close()} />
      </header>
      <ScrollRegion label={title} className="dialog-body">
        <div className="dialog-content">{parts.children}</div>
      </ScrollRegion>
      {parts.error && <Notice tone="error">{parts.error.message}</Notice>}
      {parts.actions && <div className="dialog-actions">{parts.actions}</div>}
    </>
  )
  return (
    <ModalFrame shape={shape} labelledBy={titleId} isBusy={isBusy} onClose={onClose} ref={dialog}>
      {form === undefined ? (
        <div className="dialog-frame">{inside}</div>
      ) : (
        <form className="dialog-frame" {...form}>
          {inside}
        </form>
      )}
    </ModalFrame>
  )
}

interface FrameProps {
  ref: RefObject<HTMLDialogElement | null>
  className?: string
  shape?: Props['shape']
  label?: string
  labelledBy?: string
  isBusy?: boolean
  /** Of keys while it is open. */
  onKey?: (event: KeyboardEvent) => void
  onClose: () => void
  children: ReactNode
}

/** What is in front of the page until it is closed: by Escape, a press beside it, or the caller. */
function ModalFrame({ ref, className, shape, isBusy = false, onKey, onClose, ...rest }: FrameProps) {
  const isPressedBeside = useRef(false)
  const isDrawn = useOpened(ref)
  return (
    <dialog
      className={classNames('dialog', className)}
      data-shape={shape}
      aria-label={rest.label}
      aria-labelledby={rest.labelledBy}
      aria-busy={isBusy || undefined}
      ref={ref}
      onClose={({ currentTarget }) => {
        // the event comes late: another page may have opened it again, or something else is being loaded in its place
        if (!currentTarget.open && isDrawn.current) onClose()
      }}
      onCancel={(event) => {
        if (isBusy) event.preventDefault()
      }}
      onPointerDown={({ target, currentTarget }) => {
        isPressedBeside.current = target === currentTarget
      }}
      onClick={({ target, currentTarget }) => {
        // not where a selection was only drawn out of it
        const isBeside = isPressedBeside.current && target === currentTarget && !isBusy
        const isFollowed = shape === 'drawer' && target instanceof Element && target.closest('a') !== null
        if (isBeside || isFollowed) currentTarget.close()
      }}
      onKeyDown={(event) => {
        // closed, a field of it may have the focus for a moment: what is pressed then is for the page
        if (!event.currentTarget.open) return
        event.stopPropagation()
        onKey?.(event)
      }}
    >
      {rest.children}
    </dialog>
  )
}

/** Whether it is drawn: it is closed, too, where it is only hidden. */
function useOpened(ref: RefObject<HTMLDialogElement | null>) {
  const isDrawn = useRef(false)
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog?.open === false) dialog.showModal()
    isDrawn.current = true
    // taken out of the page while it is open, it would leave the focus nowhere
    return () => {
      isDrawn.current = false
      dialog?.close()
    }
  }, [ref])
  return isDrawn
}

function useBegun(ref: RefObject<HTMLDialogElement | null>, page: number | undefined, isBusy: boolean) {
  useLayoutEffect(() => {
    if (page === undefined) return
    // asked for while it only just closes
    if (ref.current?.open === false) ref.current.showModal()
    ref.current?.querySelector('.dialog-body')?.scrollTo(0, 0)
    ref.current?.querySelector('h2')?.focus()
  }, [ref, page])
  useLayoutEffect(() => {
    // at its opening, and when what was pressed is gone by the time it was done
    if (!isBusy && (document.activeElement?.matches('body, .dialog-head *') ?? true)) focusFirst(ref.current)
  }, [ref, isBusy])
}

/** What asks something begins at its first field, or else its first action, which does nothing; what is read, at its head. */
function focusFirst(dialog: HTMLDialogElement | null) {
  if (dialog?.querySelector('.dialog-actions') == null) return
  dialog
    .querySelector<HTMLElement>(
      ':is(.dialog-content, .dialog-actions) :is(input, textarea, button, a[href]):enabled',
    )
    ?.focus()
}

/** On a phone: opens what is beside a wider page, as a drawer. Following a link in it closes it. */
export function SheetButton({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {label}
        <Icon of={ChevronDown} small />
      </button>
      {isOpen && (
        <Dialog title={label} shape="drawer" onClose={() => setIsOpen(false)}>
          {children}
        </Dialog>
      )}
    </>
  )
}

interface EditDialogProps {
  title: string
  form: ComponentProps<typeof Dialog>['form']
  error: Error | null
  isSaving: boolean
  /** Leaves it with a word on what is in it. */
  onCancel: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog in which the reader says something of their own. */
export function EditDialog({ isSaving, onCancel, children, ...rest }: EditDialogProps) {
  const actions = (
    <>
      <Button disabled={isSaving} onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" look="primary" disabled={isSaving}>
        Save
      </Button>
    </>
  )
  return (
    <Dialog {...rest} actions={actions} isBusy={isSaving}>
      <p>Only gemini-dash keeps this, in a file of its own. Nothing of Gemini CLI is changed.</p>
      {children}
    </Dialog>
  )
}

type RailFrameProps = { railLabel: string; rail: ReactNode; children: ReactNode }

/** A page with a rail at its left; on a phone the rail is a drawer, opened by a `<DrawerButton>` in the page. */
export function RailFrame({ railLabel, rail, children }: RailFrameProps) {
  const [isOpen, setIsOpen] = useState(false)
  const isNarrow = useIsNarrow()
  // where the window has become wide, and narrow again, nobody has asked for it
  if (isOpen && !isNarrow) setIsOpen(false)
  return (
    <OpenDrawer value={() => setIsOpen(true)}>
      <div className="rail-frame">
        {!isNarrow && (
          <aside className="rail" aria-label={railLabel}>
            {rail}
          </aside>
        )}
        {isNarrow && isOpen && (
          <Dialog title={railLabel} shape="drawer" onClose={() => setIsOpen(false)}>
            {rail}
          </Dialog>
        )}
        <main className="page-main" id="main" tabIndex={-1}>
          {children}
        </main>
      </div>
    </OpenDrawer>
  )
}
