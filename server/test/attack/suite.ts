import { accessTable } from '../access/access-table.ts'
import { answerCheck } from './answers.ts'
import { curlOf, type Draft, formBody, parametersIn, type Sent, sentOf } from './draft.ts'
import { mutated, mutations } from './mutations.ts'
import { type Description, type Operation, operationsOf } from './operations.ts'
import { type Random, randomOf } from './random.ts'
import { type Received, sender } from './send.ts'
import { valuesOf } from './values.ts'
import { kindOf, type World } from './world.ts'

/** Requests after which tenants and credentials are recreated. */
const RENEWED_AFTER = 500

export type Failure = {
  seed: number
  number: number
  operation: string
  faults: string[]
  changes: string[]
  curl: string
}

export type Outcome = {
  sent: number
  failures: Failure[]
  /** For each operation: the number of requests, and of successes. */
  reached: Map<string, { sent: number; succeeded: number }>
}

/** Sends generated requests: valid, boundary and mutated ones, with a valid, an invalid or no credential. Checks every response against the document.
 * @param onFailure receives each failure at once, with a minimized request */
export async function attack(
  world: World,
  {
    count,
    seed,
    onFailure = () => {},
    onProgress = () => {},
  }: {
    count: number
    seed: number
    onFailure?: (failure: Failure) => void
    onProgress?: (sent: number) => Promise<void> | void
  },
): Promise<Outcome> {
  const { service, ids } = world
  const description: Description = (await service.anonymous.get('/openapi.json')).body
  const operations = operationsOf(description)
  const faultsOf = answerCheck(description, world.secrets)
  const { send, close } = sender(service.url)
  const failures: Failure[] = []
  const reached = new Map(operations.map(({ name }) => [name, { sent: 0, succeeded: 0 }]))
  const known = new Set<string>()

  /** Sends a request and checks the response. */
  async function tried(draft: Draft): Promise<{ sent: Sent; received?: Received; faults: string[] }> {
    const sent = sentOf(draft)
    try {
      const received = await send(sent)
      const logged = world.faultsLogged()
      return {
        sent,
        received,
        faults: [...faultsOf(draft, sent, received), ...logged.map((line) => `logged: ${line}`)],
      }
    } catch (error) {
      return { sent, faults: [`no answer: ${error}`] }
    }
  }

  for (let number = 0; number < count; number++) {
    if (number % RENEWED_AFTER === RENEWED_AFTER - 1) await world.renew()
    const random = randomOf(seed * 1_000_003 + number)
    // Round-robin, so that each operation has its share.
    const operation = operations[number % operations.length]!
    const base = await baseOf(operation, random)
    const changes = base.isAsItShould ? 0 : random.pick([0, 1, 1, 2, 3])
    const names = Array.from({ length: changes }, () => random.pick(Object.keys(mutations)))
    const spoiled = names.reduce((draft, name) => mutated(draft, name, random, ids), base.draft)
    const { sent, received, faults } = await tried(spoiled)

    const tally = reached.get(operation.name)!
    tally.sent++
    if (received && received.status < 300 && !spoiled.isElsewhere) {
      tally.succeeded++
      faults.push(...(await leftBehind(spoiled)))
    }
    await onProgress(number + 1)
    if (faults.length === 0) continue
    const sign = `${operation.name} ${faults[0]!.slice(0, 60)}`
    if (known.has(sign)) continue
    known.add(sign)
    const smaller = await shrunk(base.draft, names, seed * 1_000_003 + number)
    const failure = {
      seed,
      number,
      operation: operation.name,
      faults: smaller?.faults ?? faults,
      changes: smaller?.changes ?? spoiled.changes,
      curl: curlOf(service.url, smaller?.sent ?? sent),
    }
    failures.push(failure)
    onFailure(failure)
  }
  close()
  return { sent: count, failures, reached }

  /** Checks that a deleted record no longer exists. */
  async function leftBehind(deleted: Draft): Promise<string[]> {
    const operation = operations.find(({ name }) => name === `GET ${deleted.operation.template}`)
    const removes = deleted.method === 'DELETE' && deleted.operation.template.endsWith('}')
    if (!operation || !removes || operation.template.includes('/zone/')) return []
    const { 'x-app-api-key': key, authorization } = deleted.headers
    const headers = { ...(key && { 'x-app-api-key': key }), ...(authorization && { authorization }) }
    const path = `/${deleted.segments.join('/')}`
    const { status } = await send({ method: 'GET', path, headers })
    return status === 404 || status === 410 ? [] : [`deleted, and then ${status} to GET`]
  }

  /** Minimizes a failure by removing mutations one at a time. */
  async function shrunk(base: Draft, names: string[], from: number) {
    let smallest: { sent: Sent; faults: string[]; changes: string[] } | undefined
    let left = names
    for (let at = 0; at < left.length; ) {
      const fewer = left.filter((_, place) => place !== at)
      const random = randomOf(from)
      const draft = fewer.reduce((one, name) => mutated(one, name, random, ids), base)
      const { sent, faults } = await tried(draft)
      if (faults.length === 0) at++
      else {
        smallest = { sent, faults, changes: draft.changes }
        left = fewer
      }
    }
    return smallest
  }

  async function baseOf(operation: Operation, random: Random): Promise<{ draft: Draft; isAsItShould: boolean }> {
    const rule = accessTable[operation.name]!
    const should = await world.succeeding(operation)
    const address = `10.${random.below(250)}.${random.below(250)}.${random.below(250)}`
    const sentBy = (credential: Record<string, string>): Draft => ({
      ...should,
      headers: { ...credential, ...should.headers, 'x-forwarded-for': address },
    })
    if (random.chance(0.35)) return { draft: sentBy(world.rightFor(rule)), isAsItShould: true }

    const who = random.pick(['right', 'right', 'right', 'right', 'right', 'none', 'bad', 'wrong', 'wrong'] as const)
    // Requests that delete or end something use records created for them.
    const isKept = operation.method === 'DELETE' || /rotate$|sign-out$|roles$/.test(operation.name)
    const asOwn = (draft: Draft) => (isKept || random.chance(0.3) ? draft : written(draft, random))
    if (who === 'right') return { draft: asOwn(sentBy(world.rightFor(rule))), isAsItShould: false }
    if (who === 'wrong') {
      const draft = sentBy(world.wrongFor(rule))
      const refusal = { why: 'to the credential of another tenant' }
      // Records that an owner may publish may be public.
      const isPrivate = rule.stranger && rule.needs !== 'optionalUser'
      return { draft: isPrivate ? { ...draft, refusal } : asOwn(draft), isAsItShould: false }
    }
    const draft = { ...asOwn(sentBy({})) }
    // The credential in the request belongs to another tenant.
    for (const name of ['authorization', 'x-app-api-key']) delete draft.headers[name]
    const needsOne = rule.needs !== 'open' && rule.needs !== 'optionalUser'
    const refusal = { why: 'without a good credential', status: 401 }
    const headers = who === 'none' ? draft.headers : { ...draft.headers, ...badCredential(random) }
    return {
      draft: { ...draft, headers, ...(needsOne && !isTokenOfStream(draft) && { refusal }) },
      isAsItShould: false,
    }
  }

  /** The same operation with values that its schemas allow. */
  function written(draft: Draft, random: Random): Draft {
    const { operation } = draft
    const value = valuesOf(description, ids, random)
    const segments = [...draft.segments]
    for (const { name, at } of parametersIn(operation)) {
      const others = ids[kindOf(operation, name, at)]
      if (others && random.chance(0.5)) segments[at] = encodeURIComponent(random.pick(others))
    }
    const query = operation.query
      .filter(({ required }) => required || random.chance(0.5))
      .map(({ name, schema }) => [name, encodeURIComponent(String(value(schema, name)))] as [string, string])
    const json = operation.body['application/json']
    if (json?.schema) return { ...draft, segments, query, body: { json: value(json.schema) } }
    if (operation.body['multipart/form-data'] && random.chance(0.7))
      return { ...draft, segments, query, body: form(random) }
    return { ...draft, segments, query }
  }

  function form(random: Random) {
    const contents = [
      world.picture,
      world.model,
      'name,lat,lon\nP,1,2\n',
      '',
      '\0\0\0',
      '<svg onload=alert(1)>',
      'glTF',
    ]
    const names = [
      'a.glb',
      'a.png',
      '../../a.csv',
      '',
      'a\u202e.usdz',
      'x'.repeat(300),
      'CON',
      '.htaccess',
      'a.arworld',
    ]
    const parts = Array.from({ length: 1 + random.below(4) }, () => ({
      field: random.pick(['file', 'files', 'image', 'gcpId', '__proto__', '', 'title']),
      ...(random.chance(0.8) && { name: random.pick(names) }),
      type: random.pick(['image/png', 'text/html', 'model/gltf-binary', 'application/json', 'x']),
      bytes: random.pick(contents),
    }))
    return formBody(parts)
  }
}

/** The stream of a board accepts a token in the query instead of a key. */
const isTokenOfStream = ({ operation }: Draft) => operation.name.endsWith('/leaderboards/stream')

function badCredential(random: Random): Record<string, string> {
  return random.pick<Record<string, string>>([
    { 'x-app-api-key': 'cairn_aaaaaaaa_bbbb' },
    { 'x-app-api-key': '' },
    { 'x-app-api-key': 'x'.repeat(5000) },
    { authorization: 'Bearer' },
    { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' },
    { authorization: 'Basic YTpi' },
    { authorization: `Bearer ${'a.'.repeat(2000)}` },
    { authorization: 'bearer \u00e9' },
  ])
}
