/** The list that is used offline: which package, and of which day. Prices found with another edition may differ. */
export const PRICE_LIST = {
  name: '@pydantic/genai-prices',
  version: '0.1.8',
  date: '2026-09-23',
} as const
