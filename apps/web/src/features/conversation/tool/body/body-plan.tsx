import './body-words.css'
import type { ToolCall } from 'gemini-sessions'
import { useContext } from 'react'
import { Markdown } from '../../../../content/markdown/markdown.tsx'
import { NeighbourContext } from '../../../../content/neighbours/neighbour-context.ts'
import { MachineText } from '../../../../content/text/machine-text.tsx'
import { textArgument } from '../call/tool-argument.ts'
import { OutputBody } from '../output/output-body.tsx'
import { planAnswer } from '../results/plan-answer.ts'

/** A plan with what became of it; entering the mode has a reason only. */
export function BodyPlan({ id, call }: { id: string; call: ToolCall }) {
  const answer = planAnswer(call.output.kind === 'text' ? call.output.text : '')
  const path = answer?.path || textArgument(call, 'plan_path', 'plan_filename')
  const stored = usePlan(path)
  const text = textArgument(call, 'plan') || (stored?.text ?? '')
  if (call.status !== 'success') return null
  if (answer === null) {
    const reason = textArgument(call, 'reason')
    return reason === '' ? (
      <OutputBody id={id} call={call} output={call.display ?? call.output} />
    ) : (
      <Markdown text={reason} isSmall />
    )
  }
  return (
    <>
      {answer.state === 'rejected' && (
        <p className="plan-answer">
          {answer.words === '' ? 'Sent back without a word.' : 'Sent back with these words:'}
        </p>
      )}
      {answer.state === 'rejected' && answer.words !== '' && <Markdown text={answer.words} isSmall />}
      {answer.state === 'approved' && (
        <p className="plan-answer">Approved. Goes on in {answer.words || 'the default mode'}.</p>
      )}
      {answer.state === 'cancelled' && (
        <p className="plan-answer">The person closed the question, so plan mode went on.</p>
      )}
      {text === '' ? (
        <p className="output-remark">
          The plan itself is in{' '}
          <span className="mono" dir="ltr">
            <MachineText text={path} />
          </span>
          , which is not beside the session.
        </p>
      ) : (
        <div className="plan-text">
          <Markdown text={text} isSmall />
          {stored?.isCut === true && <p className="dim">This is the beginning of the plan.</p>}
        </div>
      )}
    </>
  )
}

/** The file of that name among those beside the session, as it is today. */
function usePlan(path: string) {
  const { plans } = useContext(NeighbourContext)
  const name = path.split(/[/\\]/).at(-1)
  return plans.find(({ file }) => file.path.split('/').at(-1) === name)
}
