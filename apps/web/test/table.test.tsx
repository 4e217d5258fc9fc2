import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { DataTable } from '../src/ui/table.tsx'

const ROWS = [
  { name: 'b', tokens: 20 },
  { name: 'c', tokens: 0 },
  { name: 'a', tokens: 30 },
]

const table = (pages?: { first: number; more?: number; unit: string }) => (
  <DataTable
    label="Tokens by name"
    rows={ROWS}
    keyOf={({ name }) => name}
    {...(pages && { pages })}
    columns={[
      { name: 'Name', cell: ({ name }, index) => <a href={`#${index}`}>{name}</a>, foot: 'Total' },
      {
        name: 'Tokens',
        isFigure: true,
        sortBy: ({ tokens }) => tokens,
        cell: ({ tokens }) => (tokens === 0 ? '-' : tokens),
        foot: 50,
      },
    ]}
  />
)

const names = () => [...document.querySelectorAll('tbody th')].map((head) => head.textContent)

describe('the table', () => {
  test('a head orders the rows: most first, least first, as they came; by keyboard too', async () => {
    await render(table())
    const head = page.getByRole('columnheader', { name: 'Tokens' })
    const press = head.getByRole('button')
    expect(names()).toEqual(['b', 'c', 'a'])
    await press.click()
    expect(names()).toEqual(['a', 'b', 'c'])
    await expect.element(head).toHaveAttribute('aria-sort', 'descending')
    await userEvent.keyboard('{Enter}')
    expect(names()).toEqual(['c', 'b', 'a'])
    await expect.element(head).toHaveAttribute('aria-sort', 'ascending')
    await userEvent.keyboard('{Enter}')
    expect(names()).toEqual(['b', 'c', 'a'])
    await expect.element(head).not.toHaveAttribute('aria-sort')
  })

  test('has a name, names its rows and columns, and is quiet where nothing is', async () => {
    await render(table())
    const whole = page.getByRole('table', { name: 'Tokens by name' })
    await expect.element(whole.getByRole('rowheader', { name: 'a', exact: true })).toBeVisible()
    await expect.element(whole.getByRole('cell', { name: '-' })).toHaveClass('num', 'none')
    await expect.element(whole.getByRole('rowheader', { name: 'Total' })).toBeVisible()
  })

  test('rows come by pages, in the order that was chosen, and the focus stays in the table', async () => {
    await render(table({ first: 1, more: 1, unit: 'row' }))
    await page.getByRole('button', { name: 'Tokens' }).click()
    expect(names()).toEqual(['a'])
    await page.getByRole('button', { name: 'Show 1 more row' }).click()
    expect(names()).toEqual(['a', 'b'])
    await page.getByRole('button', { name: 'Show 1 more row' }).click()
    expect(names()).toEqual(['a', 'b', 'c'])
    await expect.element(page.getByRole('button', { name: /more/ })).not.toBeInTheDocument()
    await expect.poll(() => document.activeElement?.closest('table, .data-table-frame')).not.toBeNull()
  })
})
