import '../../ui/states/load-state.css'
import './search-start.css'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { forgetSearches, useRecentSearches } from '../../lib/address/recent-searches.ts'
import { Button } from '../../ui/buttons/button.tsx'

/** Before anything is asked: what was asked last, and how it can be asked for. */
export function SearchStart() {
  const recent = useRecentSearches()
  return (
    <div className="blank-state sheet mt-3">
      <h2>Every word of every session</h2>
      <p>Prompts, answers, thoughts, tool calls and what they returned, in all projects.</p>
      {recent.length > 0 && (
        <section className="recent-searches" aria-label="Recent searches">
          <h3>
            Recent searches
            <Button look="quiet" size="tiny" onClick={clear}>
              Clear
            </Button>
          </h3>
          <ul>
            {recent.map((query) => (
              <li key={query}>
                <Link to="/search" search={{ q: query }} className="link" dir="auto">
                  {query}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <dl className="cheatsheet">
        <Example typed="price rounding">both words, in any order</Example>
        <Example typed={'"price rounding"'}>the phrase</Example>
        <Example typed="rounding -lockfile">without the second word</Example>
        <Example typed="voucher OR coupon">one of them; parentheses group</Example>
        <Example typed="round*">words that begin so</Example>
        <Example typed="価格">also within a sentence without spaces</Example>
        <Example typed="project:webshop model:*flash*">in sessions of a project, with a model</Example>
        <Example typed="tool:run_shell_command is:error">messages whose shell command failed</Example>
        <Example typed="in:prompt,answer">
          said by you or the model; also thought, tool-args, tool-output
        </Example>
        <Example typed="file:src/*.ts has:diff">edits of these files</Example>
        <Example typed="is:superseded">
          what was taken back, summarised or replaced; also live, subagent
        </Example>
        <Example typed="tokens:>50k cost:>0.10">large and expensive calls</Example>
        <Example typed="after:-7d before:yesterday">when; also 2026-01-31 or monday</Example>
        <Example typed="session:477739d0">in one session</Example>
        <Example typed="is:starred tag:later note:proxy">what you marked: stars, tags and notes</Example>
      </dl>
    </div>
  )
}

/** Taken away with what it clears, the button gives the focus to the box. */
function clear() {
  forgetSearches()
  document.querySelector<HTMLElement>('.query-box input')?.focus()
}

function Example({ typed, children }: { typed: string; children: ReactNode }) {
  return (
    <>
      <dt>
        <Link to="/search" search={{ q: typed }} className="link">
          <code>{typed}</code>
        </Link>
      </dt>
      <dd>{children}</dd>
    </>
  )
}
