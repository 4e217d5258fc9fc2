import './dialog.css'
import { X } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from '../buttons/icon-button.tsx'
import { Notice } from '../states/notice.tsx'
import { ScrollRegion } from './scroll-region.tsx'

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
 * The one frame of all dialogs: heading, close, a body that scrolls, actions. Escape and a press beside it close it, the keys of
 * the page below do nothing meanwhile, and however it ends, the focus is back where it was.
 */
export function Dialog({ title, shape = 'card', page, form, isBusy = false, onClose, ...parts }: Props) {
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const isPressedBeside = useRef(false)
  useOpened(dialog, page, isBusy)
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
    <dialog
      className="dialog"
      data-shape={shape}
      aria-labelledby={titleId}
      aria-busy={isBusy || undefined}
      ref={dialog}
      onClose={({ currentTarget }) => {
        // the event comes late: another page may have opened it again
        if (!currentTarget.open) onClose()
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
        if (event.currentTarget.open) event.stopPropagation()
      }}
    >
      {form === undefined ? (
        <div className="dialog-frame">{inside}</div>
      ) : (
        <form className="dialog-frame" {...form}>
          {inside}
        </form>
      )}
    </dialog>
  )
}

function useOpened(ref: { current: HTMLDialogElement | null }, page: number | undefined, isBusy: boolean) {
  useLayoutEffect(() => {
    const dialog = ref.current
    if (dialog === null) return
    if (!dialog.open) dialog.showModal()
    if (page === undefined) return
    dialog.querySelector('.dialog-body')?.scrollTo(0, 0)
    dialog.querySelector('h2')?.focus()
  }, [ref, page])
  useLayoutEffect(() => {
    // at its opening, and when what was pressed is gone by the time it was done
    if (!isBusy && (document.activeElement?.matches('body, .dialog-head *') ?? true)) focusFirst(ref.current)
  }, [ref, isBusy])
  useLayoutEffect(() => {
    const dialog = ref.current
    // taken out of the page while it is open, it would leave the focus nowhere
    return () => dialog?.close()
  }, [ref])
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
