import type { Issue } from '../../platform/errors.ts'

const LONGEST = 200

/** What differs from one request to the next, and may be nobody else's to read: quoted texts (whatever quotes they hold themselves), addresses, ids, and numbers that tell what was sent or how long to wait. */
const VALUES: [pattern: RegExp, instead: string][] = [
  [/^(The body is not valid JSON).*$/s, '$1'],
  [/".*"/s, '"…"'],
  [/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '…'],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '…'],
  [/\bcairn_\w+/g, '…'],
  [/\b(is|has|wait|takes|takes exactly) \d[\d.x]*/g, '$1 …'],
]

/** Why a request was refused, in so few words that refusals of one cause read the same: the sentence it was told, or its first fault, without the values in it. */
export function reasonOf(error: string | Issue[]): string {
  const first = typeof error === 'string' ? error : asText(error[0])
  const text = VALUES.reduce((text, [pattern, instead]) => text.replace(pattern, instead), first)
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
  // Half a character, as a cut leaves it, and U+0000 are what the database does not take.
  return short.toWellFormed().replaceAll('\0', '\ufffd')
}

/** With the member at fault; which element of a list it is makes no other cause. */
function asText(issue: Issue | undefined): string {
  if (!issue) return 'other'
  // There the path is what the client made up.
  if (issue.code === 'unrecognized_keys') return `A parameter ${issue.message}`
  const place = issue.path.map((part) => (typeof part === 'string' && /^[A-Za-z_]{1,40}$/.test(part) ? part : '…'))
  return place.length > 0 ? `${place.join('.')}: ${issue.message}` : issue.message
}
