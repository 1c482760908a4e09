import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Draft, Sent } from './draft.ts'
import type { Description, Operation } from './operations.ts'
import type { Received } from './send.ts'

/** Internal texts that no response may have. */
const INTERNALS =
  /node_modules|\bat \S+ \(|\.ts:\d+|\bselect .+ from\b|insert into|\bupdate \w+ set\b|duplicate key|violates|SQLSTATE|syntax error at|invalid input syntax|relation "|column "|ECONN|ENOENT|EACCES|EPIPE|postgres|kysely|\bzod\b|Cannot read prop|is not a function|undefined is|FST_ERR|\[object Object\]/i

/** Statuses of input that is not a valid HTTP request. */
const BEFORE_OPERATIONS = [408, 431]
/** Statuses possible before the credential is checked: malformed IDs, bodies in an unknown encoding, and rate limits. */
const BEFORE_CREDENTIALS = [400, 415, 429]

/** Checks responses against the OpenAPI document. @param secrets that no response may have */
export function answerCheck(description: Description, secrets: string[]) {
  const ajv = new Ajv2020.default({ strict: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema(description, 'description')
  const compiled = new Map<string, ValidateFunction>()
  const schemaAt = (...path: string[]) => {
    const pointer = path.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')
    const known = compiled.get(pointer)
    if (known) return known
    const made = ajv.compile({ $ref: `description#/${pointer}` })
    compiled.set(pointer, made)
    return made
  }
  const isError = schemaAt('components', 'schemas', 'Error')

  /** The faults of a response; empty if it is as described. */
  return function faultsOf({ operation, isElsewhere, refusal }: Draft, sent: Sent, received: Received): string[] {
    const { status, headers, body } = received
    const faults: string[] = []
    const type = baseOf(headers['content-type'])
    if (status >= 500) faults.push(`${status}`)
    if (!/^[\da-f-]{36}$/.test(String(headers['x-request-id']))) faults.push('no x-request-id')
    if (headers['x-content-type-options'] !== 'nosniff') faults.push('content sniffing is possible: no nosniff')
    for (const header of ['x-powered-by', 'server', 'x-injected', 'access-control-allow-credentials'])
      if (headers[header] !== undefined) faults.push(`header ${header}`)
    if (headers.location && !isOwn(headers.location)) faults.push(`leads to ${headers.location}`)
    for (const secret of secrets) if (body.includes(secret)) faults.push(`it has a secret: ${secret.slice(0, 12)}…`)

    if (status >= 400 && sent.method !== 'HEAD') {
      const error = parsed(body)
      if (type !== 'application/json' || !isError(error)) faults.push(`no error body: ${type} ${body.slice(0, 200)}`)
      const [internal] = INTERNALS.exec(body) ?? []
      // The request may be quoted in the response.
      if (internal && !decodedOf(sent).includes(internal)) faults.push(`it reveals internals: "${internal}"`)
    }
    if (isElsewhere || BEFORE_OPERATIONS.includes(status)) return faults

    const isRefused = refusal?.status ? [refusal.status, ...BEFORE_CREDENTIALS].includes(status) : status >= 400
    if (refusal && !isRefused) faults.push(`${status}, ${refusal.why}`)
    if (status < 300 && isAgainstSchema(operation, sent))
      faults.push(`${status}, though the description refuses the body`)

    const described = operation.responses[String(status)]
    if (!described) return [...faults, `status ${status} is not described: ${body.slice(0, 300)}`]
    const content = described.content ?? {}
    const forms = Object.keys(content)
    if (forms.length === 0 || status === 304) return body === '' ? faults : [...faults, `${status} with a body`]
    const form = forms.find((one) => baseOf(one) === type)
    if (!form) return [...faults, `${status} as ${type}, which is described as ${forms.join(', ')}`]
    if (!/json/.test(form)) return faults
    const [, path] = operation.name.split(' ')
    const method = operation.method.toLowerCase()
    const validate = schemaAt('paths', path!, method, 'responses', String(status), 'content', form, 'schema')
    const value = parsed(body)
    if (value === undefined) faults.push(`${status} is not JSON: ${body.slice(0, 200)}`)
    else if (!validate(value)) faults.push(`${status} is not as described: ${ajv.errorsText(validate.errors)}`)
    return faults
  }

  /** Whether a JSON body violates the document. */
  function isAgainstSchema(operation: Operation, { method, headers, body }: Sent): boolean {
    const path = ['paths', operation.template, operation.method.toLowerCase(), 'requestBody', 'content']
    const isJson = baseOf(headers['content-type']) === 'application/json'
    if (!body?.length || !isJson || !operation.body['application/json'] || method !== operation.method) return false
    // A byte order mark may be ignored (RFC 8259 §8.1).
    const value = parsed(body.toString().replace(/^\ufeff/, ''))
    // An optional body may be null.
    return value !== null && !schemaAt(...path, 'application/json', 'schema')(value)
  }
}

/** The content type without parameters. */
const baseOf = (type = '') => type.replace(/;.*/s, '').trim().toLowerCase()

const isOwn = (location: string) => /^\/(?![/\\])/.test(location) || /^http:\/\/127\.0\.0\.1:\d+\//.test(location)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function decodedOf({ path, body, headers }: Sent): string {
  const sent = `${path} ${body?.toString() ?? ''} ${Object.values(headers).join(' ')}`
  return `${sent} ${sent.replace(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))}`
}
