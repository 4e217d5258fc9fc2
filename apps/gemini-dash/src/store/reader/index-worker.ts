import { runShard } from '@gemini-dash/session-index/worker'

// Entry of an index thread. The code that answers questions about sessions is loaded on demand.
runShard(async () => (await import('./index-maker.ts')).indexMaker)
