/** Letters that Unicode does not decompose into a base letter and an accent. */
const transliterations = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['ø', 'o'],
  ['Ø', 'O'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['ı', 'i'],
])

const maxLength = 100

/**
 * Converts a name to a legal USD prim name ([A-Za-z_][A-Za-z0-9_]*): accents are dropped ("Türgriff" → "Turgriff"),
 * other scripts become code points ("椅子" → "u6905_u5B50"), other characters become underscores.
 */
export function legalName(name: string, fallback: string): string {
  let legal = ''
  for (const character of name.normalize('NFKD').slice(0, maxLength)) {
    if (/[A-Za-z0-9_]/.test(character)) legal += character
    else if (transliterations.has(character)) legal += transliterations.get(character)
    else if (/\p{M}/u.test(character)) continue
    else if (/[\p{L}\p{N}]/u.test(character)) {
      legal += `${legal === '' || legal.endsWith('_') ? '' : '_'}u${character.codePointAt(0)!.toString(16).toUpperCase()}`
    } else legal += '_'
  }
  legal = legal.replace(/_+/g, '_').replace(/^_+$/, '').slice(0, maxLength)
  if (legal === '') return fallback
  return /^[0-9]/.test(legal) ? `_${legal}` : legal
}

/**
 * Makes names unique: a second "Wheel" becomes "Wheel_1". Names are compared case-insensitively, as on some file
 * systems.
 * @param avoided names, in lower case, that are used elsewhere.
 */
export function uniqueNames(avoided: ReadonlySet<string> = new Set()) {
  const taken = new Set<string>()
  const next = new Map<string, number>()
  const isTaken = (name: string) => taken.has(name) || avoided.has(name)
  return (name: string, fallback: string): string => {
    const base = legalName(name, fallback)
    let candidate = base
    for (let n = next.get(base) ?? 1; isTaken(candidate.toLowerCase()); n++) {
      candidate = `${base}_${n}`
      next.set(base, n + 1)
    }
    taken.add(candidate.toLowerCase())
    return candidate
  }
}
export type UniqueNames = ReturnType<typeof uniqueNames>
