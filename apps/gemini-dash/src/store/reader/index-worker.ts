import { runShard } from '@gemini-dash/session-index/worker'

// Entry of a thread of the index. What answers about sessions is loaded when somebody asks.
runShard(async () => (await import('./index-maker.ts')).indexMaker)
