import './body-words.css'
import type { ToolCall } from 'gemini-sessions'
import { Circle, CircleCheck, CornerDownRight } from 'lucide-react'
import { Markdown } from '../../../../content/markdown/markdown.tsx'
import { MarkedText } from '../../../../content/text/marked-text.tsx'
import { Icon } from '../../../../ui/signs/icon.tsx'
import { OutputBody } from '../output/output-body.tsx'
import { type AskedQuestion, askedQuestions } from '../results/asked-questions.ts'

/** What the model asked the person: each question with its choices and the answer. */
export function BodyAsk({ id, call }: { id: string; call: ToolCall }) {
  const questions = askedQuestions(call)
  if (questions.length === 0) return <OutputBody id={id} call={call} output={call.display ?? call.output} />
  const isAnswered = questions.some(({ answer }) => answer !== null)
  return (
    <>
      <ol className="questions">
        {questions.map((question, index) => (
          <li key={`${index} ${question.header}`}>
            <Question question={question} />
          </li>
        ))}
      </ol>
      {!isAnswered && call.status === 'success' && (
        <p className="output-remark">The person closed the questions without an answer.</p>
      )}
    </>
  )
}

function Question({ question: { header, question, options, answer } }: { question: AskedQuestion }) {
  const isOwnAnswer = answer !== null && !options.some(({ isChosen }) => isChosen)
  return (
    <>
      {header !== '' && (
        <p className="question-header" dir="auto">
          <MarkedText text={header} />
        </p>
      )}
      <Markdown text={question} isSmall />
      {options.length > 0 && (
        <ul className="choices">
          {options.map(({ label, description, isChosen }, index) => (
            <li key={`${index} ${label}`} className={isChosen ? 'choice chosen' : 'choice'}>
              <Icon of={isChosen ? CircleCheck : Circle} small />
              <span dir="auto">
                <b>
                  <MarkedText text={label} />
                </b>
                {isChosen && <span className="visually-hidden"> (chosen)</span>}
                {description !== '' && (
                  <span className="choice-words">
                    <MarkedText text={description} />
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isOwnAnswer && (
        <div className="own-answer">
          <Icon of={CornerDownRight} small />
          <span className="visually-hidden">Answer:</span>
          <Markdown text={answer} isSmall />
        </div>
      )}
    </>
  )
}
