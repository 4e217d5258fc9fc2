import type { SessionRecord } from '@gemini-dash/session-index'
import type { Cost, TokenUsage } from 'gemini-sessions'

/**
 * Gives records whose equal names and sums are the same ones in memory. What was parsed or came from another thread has
 * a copy of each, and ten thousand sessions have a handful of models, tools and homes between them.
 */
export class AlikeSharer {
  readonly #names = new Map<string, string>()

  share(record: SessionRecord): SessionRecord {
    const { summary, projectHash, tools } = record
    const buckets = record.buckets.map((bucket) => ({
      ...bucket,
      model: this.#name(bucket.model),
      usage: sameUsage(bucket.usage, summary.usage),
      cost: sameCost(bucket.cost, summary.cost),
    }))
    return {
      ...record,
      summary: this.#shareSummary(summary),
      projectHash: this.#name(projectHash),
      ownKeys: record.ownKeys.map((key) => (key === summary.key ? summary.key : key)),
      buckets,
      tools: tools.map((tool) => ({ ...tool, name: this.#name(tool.name) })),
    }
  }

  #shareSummary(summary: SessionRecord['summary']): SessionRecord['summary'] {
    const { title, usage, cost, startTime, withSubagents } = summary
    const asStart = (time: string | null) => (time === startTime ? startTime : time)
    return {
      ...summary,
      firstPrompt: summary.firstPrompt === title ? title : summary.firstPrompt,
      endTime: asStart(summary.endTime),
      lastUpdated: asStart(summary.lastUpdated),
      models: summary.models?.map((model) => ({ ...model, name: this.#name(model.name) })) ?? null,
      liveUsage: sameUsage(summary.liveUsage, usage),
      withSubagents: {
        ...withSubagents,
        usage: sameUsage(withSubagents.usage, usage),
        cost: sameCost(withSubagents.cost, cost),
      },
      files: summary.files.map((file) => ({ ...file, home: this.#name(file.home) })),
    }
  }

  #name<Name extends string | null>(name: Name): Name {
    if (name === null) return name
    const known = this.#names.get(name)
    if (known === undefined) this.#names.set(name, name)
    // The same text.
    return (known ?? name) as Name
  }
}

function sameUsage<Usage extends TokenUsage | null>(usage: Usage, other: TokenUsage | null): Usage {
  if (usage === null || other === null) return usage
  const isEqual =
    usage.input === other.input &&
    usage.output === other.output &&
    usage.cached === other.cached &&
    usage.thoughts === other.thoughts &&
    usage.tool === other.tool &&
    usage.total === other.total &&
    usage.calls === other.calls &&
    usage.callsWithoutTokens === other.callsWithoutTokens
  return isEqual ? (other as Usage) : usage
}

function sameCost<Price extends Cost | null>(cost: Price, other: Cost | null): Price {
  const isEqual =
    cost !== null && other !== null && cost.usd === other.usd && cost.unpricedCalls === other.unpricedCalls
  return isEqual ? (other as Price) : cost
}
