import './dialog.css'
import './rail.css'
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
  /** Centered, normal or wide; at the side, for reading; a drawer. */
  shape?: 'card' | 'wide' | 'side' | 'drawer'
  /** Before and after the heading. */
  intro?: ReactNode
  tools?: ReactNode
  /** Number of the current step, if several are shown in sequence: each starts at its heading. */
  page?: number
  /** Wraps the part between heading and actions in a form. */
  form?: Pick<ComponentProps<'form'>, 'onSubmit' | 'onInput'>
  actions?: ReactNode
  /** Error of the last action. */
  error?: Error | null
  /** An action is running: prevents accidental closing. */
  isBusy?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * The common form of all dialogs: heading, close button, scrollable body, actions. Shortcuts of the page are inactive meanwhile, and the
 * focus is restored afterwards.
 */
export function Dialog({ title, shape = 'card', page, form, isBusy = false, onClose, ...parts }: Props) {
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useBegun(dialog, page, isBusy)
  const inside = (
    <>
      <header className="dialog-head">
        {parts.intro}
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
  /** Handles keys while it is open. */
  onKey?: (event: KeyboardEvent) => void
  onClose: () => void
  children: ReactNode
}

/** A modal that Escape, a press outside, or the caller closes. */
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
        // the event arrives late: the dialog may have been reopened or replaced meanwhile
        if (!currentTarget.open && isDrawn.current) onClose()
      }}
      onCancel={(event) => {
        if (isBusy) event.preventDefault()
      }}
      onPointerDown={({ target, currentTarget }) => {
        isPressedBeside.current = target === currentTarget
      }}
      onClick={({ target, currentTarget }) => {
        // not if a text selection was dragged out of it
        const isBeside = isPressedBeside.current && target === currentTarget && !isBusy
        const isFollowed = shape === 'drawer' && target instanceof Element && target.closest('a') !== null
        if (isBeside || isFollowed) currentTarget.close()
      }}
      onKeyDown={(event) => {
        // a field may keep the focus for a moment after closing: such keys are meant for the page
        if (!event.currentTarget.open) return
        event.stopPropagation()
        onKey?.(event)
      }}
    >
      {rest.children}
    </dialog>
  )
}

/** Whether it is mounted: it also closes when only hidden. */
function useOpened(ref: RefObject<HTMLDialogElement | null>) {
  const isDrawn = useRef(false)
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog?.open === false) dialog.showModal()
    isDrawn.current = true
    // unmounting an open dialog would lose the focus
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
    // reopens it if it is just closing
    if (ref.current?.open === false) ref.current.showModal()
    ref.current?.querySelector('.dialog-body')?.scrollTo(0, 0)
    ref.current?.querySelector('h2')?.focus()
  }, [ref, page])
  useLayoutEffect(() => {
    // when it opens, and when the pressed button has disappeared by the time its action is done
    if (!isBusy && (document.activeElement?.matches('body, .dialog-head *') ?? true)) focusFirst(ref.current)
  }, [ref, isBusy])
}

/**
 * A dialog with actions starts at its first field, or else at its first action, which is harmless; one for reading starts at its heading.
 */
function focusFirst(dialog: HTMLDialogElement | null) {
  if (dialog?.querySelector('.dialog-actions') == null) return
  dialog
    .querySelector<HTMLElement>(
      ':is(.dialog-content, .dialog-actions) :is(input, textarea, button, a[href]):enabled',
    )
    ?.focus()
}

/** On a phone: opens a wider page's sidebar as a drawer. Following a link in it closes it. */
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
  /** Closes without saving. */
  onCancel: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog for editing the user's own texts. */
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

/** A page with a sidebar on the left; on a phone the sidebar is a drawer, opened by a `<DrawerButton>`. */
export function RailFrame({ railLabel, rail, children }: RailFrameProps) {
  const [isOpen, setIsOpen] = useState(false)
  const isNarrow = useIsNarrow()
  // resets it when the window becomes wide
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
