import './load-state.css'
import { type Asked, isUnanswered } from '../../api/request/is-unanswered.ts'

/** In a line, in the place of something small: what failed, why, and a way to try again. Nothing unless the answer is missing. */
export function FailedLine({ what, asked }: { what: string; asked: Asked }) {
  if (!isUnanswered(asked)) return null
  return (
    <p className="failed-line" role="alert">
      {what} {asked.error?.message}{' '}
      <button type="button" className="link" onClick={() => void asked.refetch()}>
        Retry
      </button>
    </p>
  )
}
