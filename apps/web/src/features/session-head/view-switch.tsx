import { SESSION_VIEWS, type SessionView } from '../../lib/address/session-search.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'

interface Props {
  view: SessionView | undefined
  onView: (view: SessionView | undefined) => void
}

const NAMES: Record<SessionView, string> = { timeline: 'Timeline', context: 'Cost and context' }
const CONVERSATION = { value: 'conversation', label: 'Conversation' } as const
const OPTIONS = [CONVERSATION, ...SESSION_VIEWS.map((view) => ({ value: view, label: NAMES[view] }))]

/** The conversation alone, or one of the views of the same session with it. */
export function ViewSwitch({ view, onView }: Props) {
  return (
    <Segmented
      label="View"
      value={view ?? CONVERSATION.value}
      options={OPTIONS}
      onChange={(next) => onView(next === CONVERSATION.value ? undefined : next)}
    />
  )
}
