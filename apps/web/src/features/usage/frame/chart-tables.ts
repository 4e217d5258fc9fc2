import { createContext } from 'react'
import type { UsageChart } from '../../../lib/address/page-searches.ts'

/** Which charts are shown as tables, as the address of the page says it. */
export interface ChartTables {
  /** With commas between them. */
  tables: string | undefined
  onTable: (chart: UsageChart, isTable: boolean) => void
}

export const ChartTablesContext = createContext<ChartTables>({ tables: undefined, onTable: () => {} })

export function isShownAsTable(tables: string | undefined, chart: UsageChart): boolean {
  return tables?.split(',').includes(chart) ?? false
}
