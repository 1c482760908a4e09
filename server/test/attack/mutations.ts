import { type Draft, parametersIn } from './draft.ts'
import { oddContentTypes, oddJson, oddSegments, oddTexts, Verbatim } from './hostile-values.ts'
import type { Random } from './random.ts'
import type { Ids } from './values.ts'

type Change = { says: string; draft: Partial<Draft> }
/** Applies one mutation. @returns undefined if it does not apply */
type Mutation = (draft: Draft, random: Random, ids: Ids) => Change | undefined

const without = <Value>(values: Value[], at: number) => values.filter((_, place) => place !== at)

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']

/** The positions in a value that can be replaced, as paths of names. */
function placesIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || value instanceof Verbatim) return [path]
  return [path, ...Object.entries(value).flatMap(([name, member]) => placesIn(member, [...path, name]))]
}

/** A copy of the value with one position replaced. */
function replaced(value: unknown, [name, ...rest]: string[], change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(value)
  if (Array.isArray(value)) return value.map((one, at) => (String(at) === name ? replaced(one, rest, change) : one))
  const record = value as Record<string, unknown>
  return { ...record, [name]: replaced(record[name], rest, change) }
}

const inJson =
  (what: string, change: (old: unknown, random: Random, ids: Ids) => unknown): Mutation =>
  ({ body }, random, ids) => {
    if (!body || !('json' in body)) return undefined
    const place = random.pick(placesIn(body.json))
    const json = replaced(body.json, place, (old) => change(old, random, ids))
    return { says: `${what} at ${place.join('.') || 'the top'}`, draft: { body: { json } } }
  }

const header =
  (what: string, headers: (random: Random) => Record<string, string>): Mutation =>
  (draft, random) => ({ says: what, draft: { headers: { ...draft.headers, ...headers(random) } } })

const raw =
  (what: string, change: (bytes: Buffer, random: Random) => Buffer): Mutation =>
  ({ body, headers }, random) => {
    if (!body) return undefined
    const isJson = 'json' in body
    const bytes = isJson ? Buffer.from(JSON.stringify(body.json) ?? '') : body.bytes
    const type = headers['content-type'] ?? (isJson ? 'application/json' : body.type)
    return { says: what, draft: { body: { bytes: change(bytes, random), type } } }
  }

const anyId = (random: Random, ids: Ids) =>
  random.pick(random.pick(Object.values(ids).filter(({ length }) => length > 0)) ?? ['0'])

/** All mutations, by name. */
export const mutations: Record<string, Mutation> = {
  'a member is left out': (draft, random) => {
    const { body } = draft
    if (!body || !('json' in body) || typeof body.json !== 'object' || body.json === null) return undefined
    const entries = Object.entries(body.json)
    if (entries.length === 0) return undefined
    const at = random.below(entries.length)
    return {
      says: `without ${entries[at]![0]}`,
      draft: { body: { json: Object.fromEntries(without(entries, at)) } },
    }
  },
  'odd JSON': inJson('odd JSON', (_old, random) => new Verbatim(random.pick(oddJson))),
  'odd text': inJson('odd text', (_old, random) => random.pick(oddTexts)),
  'null instead': inJson('null', () => null),
  'another type': inJson('another type', (old) =>
    typeof old === 'string' ? [old] : typeof old === 'number' ? String(old) : Array.isArray(old) ? { ...old } : 7,
  ),
  'a huge number': inJson('a huge number', (_old, random) => random.pick([1e308, -1e308, 2 ** 53, -(2 ** 53), 5e-324])),
  'an id of something else': inJson('a foreign id', (_old, random, ids) => anyId(random, ids)),
  'a name that is a trap': inJson('a trap', (old, random) => {
    const name = random.pick(['__proto__', 'constructor', 'prototype', 'toString', 'length', '', '\0', '\ud800'])
    return typeof old === 'object' && old !== null
      ? new Verbatim(`{${JSON.stringify(name)}:{"a":1},${JSON.stringify(name)}:2}`)
      : name
  }),
  'every member twice': ({ body }) => {
    if (!body || !('json' in body) || typeof body.json !== 'object' || body.json === null) return undefined
    const members = Object.entries(body.json).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    return { says: 'members twice', draft: { body: { json: new Verbatim(`{${[...members, ...members].join()}}`) } } }
  },
  'the body cut off': raw('cut off', (bytes, random) => bytes.subarray(0, random.below(bytes.length))),
  'a byte flipped': raw('a byte flipped', (bytes, random) => {
    const changed = Buffer.from(bytes)
    if (changed.length > 0) changed[random.below(changed.length)]! ^= 1 << random.below(8)
    return changed
  }),
  'bytes before it': raw('a byte order mark', (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes])),
  'in UTF-16': raw('UTF-16', (bytes) => Buffer.from(bytes.toString(), 'utf16le')),
  'bytes that are no text': raw('no UTF-8', (bytes) => Buffer.concat([bytes, Buffer.from([0xff, 0xfe, 0xc0])])),
  'no body': ({ body }) => (body ? { says: 'no body', draft: { body: undefined as never } } : undefined),
  'a body that nobody asked for': ({ body }) =>
    body ? undefined : { says: 'a body', draft: { body: { json: { a: new Verbatim('[1,{"b":null}]') } } } },
  'another content type': header('content type', (random) => ({ 'content-type': random.pick(oddContentTypes) })),
  'another method': ({ method }, random) => {
    const other = random.pick(methods.filter((one) => one !== method))
    return { says: `as ${other}`, draft: { method: other, isElsewhere: true } }
  },
  'a method to be believed': header('overrides', (random) => ({
    'x-http-method-override': random.pick(methods),
    'x-original-url': '/metrics',
    'x-rewrite-url': '/api/v1/users',
  })),
  'odd headers': header('odd headers', (random) => ({
    [random.pick([
      'accept',
      'accept-encoding',
      'range',
      'if-match',
      'if-none-match',
      'content-encoding',
      'origin',
      'cookie',
    ])]: random.pick([
      '*/*;q=9',
      'gzip;q=0, *',
      'bytes=0-1,5-',
      '"x", *',
      'null',
      '\u00e9',
      'a'.repeat(4000),
      'a=b; a=c',
    ]),
    [random.pick(['host', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'x-real-ip', 'idempotency-key'])]:
      random.pick(['evil.example', '127.0.0.1, ::1', 'host=evil', 'é', '', 'k'.repeat(300), '"quoted"', '../..']),
  })),
  'a segment that is odd': (draft, random, ids) => {
    const places = parametersIn(draft.operation).filter(({ at }) => at < draft.segments.length)
    if (places.length === 0) return undefined
    const { name, at } = random.pick(places)
    const odd = random.chance(0.4)
      ? encodeURIComponent(anyId(random, ids))
      : random.chance(0.3)
        ? encodeURIComponent(random.pick(oddTexts).toWellFormed()).slice(0, 5000)
        : random.pick(oddSegments)
    // Without a segment, or with one that leaves the path, it is another path.
    const isElsewhere = odd === '' || /^(\.|%2e)+$/i.test(odd)
    return { says: `${name}: ${odd.slice(0, 40)}`, draft: { segments: draft.segments.with(at, odd), isElsewhere } }
  },
  'a path that is odd': ({ segments }, random) => {
    if (segments.length === 0) return undefined
    const at = random.below(segments.length)
    const old = segments[at]!
    const odd = random.pick([
      [...segments, ''],
      segments.toSpliced(at, 0, ''),
      segments.toSpliced(at, 0, '.'),
      segments.toSpliced(at, 0, '..', '%2e%2e'),
      segments.with(at, `${old};a=b`),
      segments.with(at, old.toUpperCase()),
      segments.with(at, `${old}%00`),
      segments.with(
        at,
        old.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      ),
      segments.with(at, `${old}%2f`),
      segments.with(at, `${old}.json`),
      without(segments, at),
    ])
    return { says: 'an odd path', draft: { segments: odd, isElsewhere: true } }
  },
  'odd queries': (draft, random) => {
    const known = draft.operation.query.map(({ name }) => name)
    const name = random.pick([...known, ...known, '__proto__', 'constructor[prototype][a]', '', '%00', 'a[]', '%zz'])
    const value = random.chance(0.5)
      ? encodeURIComponent(random.pick(oddTexts).toWellFormed()).slice(0, 9000)
      : random.pick([
          '%',
          '%zz',
          '%ff',
          '%00',
          '+',
          '1e999',
          '-0',
          '12,5',
          '1e',
          'NaN',
          '[]',
          '&&',
          '=',
          'a'.repeat(9000),
        ])
    return {
      says: `query ${name}=${value.slice(0, 40)}`,
      draft: { query: [...draft.query.filter(([one]) => one !== name), [name, value] as [string, string]] },
    }
  },
  'a query twice': ({ query }, random) =>
    query.length === 0 ? undefined : { says: 'a query twice', draft: { query: [...query, random.pick(query)] } },
  'a query left out': ({ query }, random) =>
    query.length === 0
      ? undefined
      : { says: 'a query less', draft: { query: without(query, random.below(query.length)) } },
}

/** Applies one more mutation; returns the draft unchanged if it does not apply. */
export function mutated(draft: Draft, name: string, random: Random, ids: Ids): Draft {
  const change = mutations[name]!(draft, random, ids)
  if (!change) return draft
  const isElsewhere = draft.isElsewhere || Boolean(change.draft.isElsewhere)
  const made = { ...draft, ...change.draft, isElsewhere, changes: [...draft.changes, change.says] }
  if (made.body === undefined) delete made.body
  // The request may now concern the caller's own or public data.
  const isSame = !('segments' in change.draft || 'query' in change.draft || 'body' in change.draft)
  if (!isSame && made.refusal?.status === undefined) delete made.refusal
  return made
}
