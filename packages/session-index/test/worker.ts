import { runShard } from '../src/run-shard.ts'

// Entry of a thread that indexes and searches, but answers no questions about sessions.
runShard()
