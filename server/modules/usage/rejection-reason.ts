import type { Issue } from '../../platform/errors.ts'

const LONGEST = 200

/**
 * Values that differ between requests or may be private, removed from messages: quoted texts, addresses, IDs, and
 * numbers.
 */
const VALUES: [pattern: RegExp, instead: string][] = [
  [/^(The body is not valid JSON).*$/s, '$1'],
  [/".*"/s, '"…"'],
  [/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '…'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '…'],
  [/\bcairn_\w+/g, '…'],
  [/\b(is|has|wait|takes|takes exactly) \d[\d.x]*/g, '$1 …'],
]

/**
 * Normalizes a refusal so that refusals of one cause read the same: the message, or the first issue, without values.
 */
export function reasonOf(error: string | Issue[]): string {
  const first = typeof error === 'string' ? error : asText(error[0])
  const text = VALUES.reduce((text, [pattern, instead]) => text.replace(pattern, instead), first)
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
  // The database refuses lone surrogates, which slicing can leave, and U+0000.
  return short.toWellFormed().replaceAll('\0', '\ufffd')
}

/** Includes the member at fault, but not the index in a list. */
function asText(issue: Issue | undefined): string {
  if (!issue) return 'other'
  // The path of an unrecognized key is the client's text.
  if (issue.code === 'unrecognized_keys') return `A name ${issue.message}`
  const place = issue.path.map((part) => (typeof part === 'string' && /^[A-Za-z_]{1,40}$/.test(part) ? part : '…'))
  return place.length > 0 ? `${place.join('.')}: ${issue.message}` : issue.message
}
