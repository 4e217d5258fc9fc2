import '../../../ui/frames/panel.css'
import { type Asked, isUnanswered } from '../../../api/request/is-unanswered.ts'
import { Failed } from '../../../ui/states/failed.tsx'

interface Props {
  title: string
  /** All that it is drawn of, what failed among it. */
  asked: readonly Asked[]
}

/** In the place of a panel whose figures could not be asked for. */
export function FailedPanel({ title, asked }: Props) {
  return (
    <section className="panel" aria-label={title}>
      <header className="panel-head">
        <h2>{title}</h2>
      </header>
      <div className="panel-body">
        <NotLoaded asked={asked} />
      </div>
    </section>
  )
}

/** Nothing where all of it is there, or on its way. */
export function NotLoaded({ asked }: Pick<Props, 'asked'>) {
  const failed = asked.filter(isUnanswered)
  const error = failed[0]?.error
  if (!error) return null
  return (
    <Failed
      what="These figures could not be loaded."
      error={error}
      onRetry={() => {
        for (const each of failed) void each.refetch()
      }}
    />
  )
}
