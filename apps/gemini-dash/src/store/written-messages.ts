/**
 * An answer as JSON in UTF-8. Those that tell of every message of a session are written by the thread that makes them and
 * sent as they are, so that the server's own thread is free for other questions.
 */
export interface Written<Answer> {
  json: Uint8Array
  /** Never there: says of what these bytes are. */
  readonly of?: Answer
}

export function write<Answer>(answer: Answer): Written<Answer> {
  return { json: new TextEncoder().encode(JSON.stringify(answer)) }
}

export function read<Answer>({ json }: Written<Answer>): Answer {
  return JSON.parse(new TextDecoder().decode(json))
}

/** An object with the fields of all, none of which may be empty. */
export function join<A, B>(one: Written<A>, other: Written<B>): Written<A & B> {
  return { json: Buffer.concat([one.json.subarray(0, -1), COMMA, other.json.subarray(1)]) }
}

const COMMA = Buffer.from(',')
