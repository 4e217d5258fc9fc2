/**
 * An answer as JSON in UTF-8. Answers about every message of a session are serialized by the thread that computes them and sent unchanged,
 * so that the server's own thread is free for other requests.
 */
export interface Written<Answer> {
  json: Uint8Array
  /** Never set: a phantom type for the content of these bytes. */
  readonly of?: Answer
}

export function write<Answer>(answer: Answer): Written<Answer> {
  return { json: new TextEncoder().encode(JSON.stringify(answer)) }
}

export function read<Answer>({ json }: Written<Answer>): Answer {
  return JSON.parse(new TextDecoder().decode(json))
}

/** An object with the fields of both, neither of which may be empty. */
export function join<A, B>(one: Written<A>, other: Written<B>): Written<A & B> {
  return { json: Buffer.concat([one.json.subarray(0, -1), COMMA, other.json.subarray(1)]) }
}

const COMMA = Buffer.from(',')
