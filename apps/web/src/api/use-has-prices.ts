import { useQuery } from '@tanstack/react-query'
import { healthQuery } from './health.ts'

/** Not for who is on a plan and wants no prices: they see no cost, not an unknown one. */
export function useHasPrices(): boolean {
  return useQuery(healthQuery()).data?.prices.plan !== 'nothing'
}
