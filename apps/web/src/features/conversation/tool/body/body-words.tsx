import './body-words.css'
import type { ToolCall } from 'gemini-sessions'
import { Markdown } from '../../../../content/markdown/markdown.tsx'
import { textArgument } from '../call/tool-argument.ts'
import type { ToolKind } from '../call/tool-kind.ts'
import { OutputBody } from '../output/output-body.tsx'
import { OutputMarkdown } from '../output/output-markdown.tsx'
import { skillResult } from '../results/skill-result.ts'
import { unwrapUntrusted } from '../results/unwrap-untrusted.ts'

/** Calls that are mostly words: a fact to remember, a topic, a report, a skill, a page of the manual. */
export function BodyWords({ id, call, kind }: { id: string; call: ToolCall; kind: ToolKind }) {
  const said = saidWords(call, kind)
  if (said !== '') return <Markdown text={said} isSmall />
  const { output, display } = call
  if (kind === 'skill' && output.kind === 'text') return <Skill id={id} output={output} />
  if (kind === 'docs' && output.kind === 'text')
    return <OutputMarkdown id={id} output={{ ...output, text: unwrapUntrusted(output.text) }} />
  return <OutputBody id={id} call={call} output={display ?? output} />
}

function saidWords(call: ToolCall, kind: ToolKind): string {
  if (kind === 'memory') return textArgument(call, 'fact')
  if (kind === 'report') return textArgument(call, 'result')
  if (kind !== 'topic') return ''
  const summary = textArgument(call, 'summary')
  const intent = textArgument(call, 'strategic_intent')
  return [summary, intent === '' ? '' : `**Intent:** ${intent}`].filter((text) => text !== '').join('\n\n')
}

function Skill({ id, output }: { id: string; output: Extract<ToolCall['output'], { kind: 'text' }> }) {
  const skill = skillResult(output.text)
  if (skill === null) return <OutputMarkdown id={id} output={output} />
  return (
    <>
      <OutputMarkdown
        id={id}
        output={{ ...output, text: skill.instructions }}
        readWhole={(whole) => skillResult(whole)?.instructions ?? whole}
      />
      {skill.resources !== '' && (
        <pre className="skill-resources" dir="ltr">
          {skill.resources}
        </pre>
      )}
    </>
  )
}
