import '../../ui/load-state.css'

/** Before anything is asked: what is searched, and how it can be asked for. */
export function SearchStart() {
  return (
    <div className="blank-state sheet mt-3">
      <h2>Every word of every session</h2>
      <p>Prompts, answers, thoughts, tool calls and what they returned, in all projects.</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        <Example typed="price rounding">both words, in any order</Example>
        <Example typed={'"price rounding"'}>the phrase</Example>
        <Example typed="価格">also within a sentence without spaces</Example>
      </dl>
    </div>
  )
}

function Example({ typed, children }: { typed: string; children: string }) {
  return (
    <>
      <dt>
        <code>{typed}</code>
      </dt>
      <dd className="text-ink-2">{children}</dd>
    </>
  )
}
