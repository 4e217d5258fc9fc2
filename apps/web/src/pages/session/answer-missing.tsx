import { useQuery } from '@tanstack/react-query'
import { sessionAnswerQuery } from '../../api/session/session-answer.ts'
import { FailedLine } from '../../ui/states/failed-line.tsx'

interface Props {
  sessionRef: string
  /** Asked elsewhere, where it is drawn. */
  question: 'map' | 'neighbours'
  what: string
}

/** Says that what is drawn here and there, or not at all, could not be asked. */
export function AnswerMissing({ sessionRef, question, what }: Props) {
  const asked = useQuery({ ...sessionAnswerQuery(question, sessionRef), enabled: false })
  return (
    <div className="answer-missing">
      <FailedLine what={what} asked={asked} />
    </div>
  )
}
