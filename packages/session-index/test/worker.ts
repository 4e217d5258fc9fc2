import { runShard } from '../src/run-shard.ts'

// Entry of a thread that indexes and searches, and answers nothing about sessions.
runShard()
